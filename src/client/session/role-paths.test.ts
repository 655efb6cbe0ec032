import { describe, expect, it } from 'vitest'

import { PAGE_PATHS } from '../../shared/page-paths'
import { followablePath, homePath } from './role-paths'

/** Of those who are not signed in. */
const WITHOUT_SESSION = new Set([
  '/auth',
  '/upload/$token',
  '/invitation',
  '/forgotten-password',
  '/new-password',
])
const OF_COMPANIES = new Set(['/people'])
const OF_EVERYBODY = new Set(['/api-docs', '/alerts', '/sessions', '/api-keys', '/help'])
const ROLES = ['SUPER_ADMIN', 'SUPPLIER', 'RETAILER'] as const

describe('the redirect after signing in', () => {
  it('goes to the dashboard of the role', () => {
    expect([homePath('SUPER_ADMIN'), homePath('SUPPLIER'), homePath('RETAILER')]).toEqual([
      '/',
      '/supplier',
      '/retailer',
    ])
  })

  it('follows a requested path that the role may see, with its query', () => {
    expect(followablePath('SUPPLIER', '/supplier/retailers?q=acme')).toBe(
      '/supplier/retailers?q=acme',
    )
    expect(followablePath('SUPPLIER', '/supplier/retailers/7')).toBe('/supplier/retailers/7')
    expect(followablePath('SUPPLIER', '/supplier/retailers/7/shop')).not.toBeNull()
    expect(followablePath('RETAILER', '/retailer/shop?shop=excel')).toBe(
      '/retailer/shop?shop=excel',
    )
    const [admin, page] = ['SUPER_ADMIN', '/dashboard/super-admin/suppliers/7?q=acme'] as const
    expect(followablePath(admin, page)).toBe(page)
  })

  it.each(PAGE_PATHS)('follows %s as those whose page it is, and as nobody else', (path) => {
    const wanted = path.replaceAll(/\$\w+/g, '7')
    const followers = ROLES.filter((role) => followablePath(role, wanted) === wanted)
    const area = /^\/(supplier|retailer)\b/.exec(path)?.[1]?.toUpperCase() ?? 'SUPER_ADMIN'
    const isCompanies = OF_COMPANIES.has(path)
    const expected = WITHOUT_SESSION.has(path)
      ? []
      : OF_EVERYBODY.has(path)
        ? ROLES
        : ROLES.filter((role) => (isCompanies ? role !== 'SUPER_ADMIN' : role === area))
    expect(followers).toEqual(expected)
  })

  it.each([
    undefined,
    '',
    'supplier',
    '//evil.example/supplier',
    '/\\evil.example',
    'https://evil.example/supplier',
    '/supplier/../retailer',
    '/supplier/unknown',
    '/retailer',
    '/auth',
  ])('does not follow %s as a supplier', (wanted) => {
    expect(followablePath('SUPPLIER', wanted)).toBeNull()
  })
})
