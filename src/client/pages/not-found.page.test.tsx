import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { adminUser, renderApp, supplierUser } from '../testing/render-app'

const title = () => screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })

describe('the not-found page', () => {
  it.each([
    ['a supplier', supplierUser, 'Connections'],
    ['an administrator', adminUser, 'Cron Jobs'],
  ])('keeps the menu of %s', async (_, user, entry) => {
    renderApp('/nowhere', user, {})
    await title()
    expect(screen.getAllByRole('main')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Open the menu' }))
    expect(await screen.findByRole('link', { name: entry })).toBeDefined()
  })

  it('has the menu also for a page whose id cannot be one', async () => {
    renderApp('/supplier/connections/x/history', supplierUser, {})
    await title()
    expect(screen.getAllByRole('main')).toHaveLength(1)
  })

  it.each([
    ['nobody is signed in', () => null],
    ['the account cannot be loaded', () => Promise.reject(new Error('No'))],
  ])('is shown without a menu when %s', async (_, answer) => {
    renderApp('/nowhere', supplierUser, { 'session.current': answer })
    await title()
    expect(screen.queryByRole('button', { name: 'Open the menu' })).toBeNull()
    expect(screen.getAllByRole('main')).toHaveLength(1)
  })
})
