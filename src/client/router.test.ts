import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'

import { PAGE_PATHS, isPagePath, SETUP_PATH } from '../shared/page-paths'
import { createAppRouter } from './router'

describe('the paths of pages', () => {
  it('are those of the router', () => {
    const router = createAppRouter(createMemoryHistory({ initialEntries: ['/auth'] }))
    expect(Object.keys(router.routesByPath).toSorted()).toEqual(
      [...PAGE_PATHS, SETUP_PATH].toSorted(),
    )
  })

  it.each([
    '/',
    '/auth',
    '/supplier/',
    '/supplier/retailers/5',
    '/dashboard/super-admin/suppliers/5',
  ])('include %s', (path) => {
    expect(isPagePath(path)).toBe(true)
  })

  it.each(['/nowhere', '/supplier/retailers/5/more', '/retailers', ''])(
    'do not include %j',
    (path) => {
      expect(isPagePath(path)).toBe(false)
    },
  )
})
