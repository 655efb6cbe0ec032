import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { SignInRules } from '../../shared/schemas/sign-in-rules'
import type { CurrentUser } from '../../shared/schemas/user'
import { adminUser, Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'

const BY = '2026-12-12T09:00:00.000Z'
const asked = (isOverdue: boolean): CurrentUser => ({
  ...supplierUser,
  secondFactorWanted: { by: BY, isOverdue },
})
const settings: Answers = {
  'alerts.list': () => ({ notifications: [], unreadCount: 0 }),
  'suppliers.profile': () => ({
    companyName: 'Northbeck',
    publicEmail: null,
    publicPhone: null,
    publicWebsite: null,
  }),
  'secondFactor.get': () => ({
    since: null,
    recoveryCodesLeft: 0,
    hasPassword: true,
    isRequired: true,
  }),
}

describe('a second factor that is asked for', () => {
  it('is told of by a banner with the day, which leads to the settings', async () => {
    renderApp('/supplier/settings', asked(false), settings)
    expect(await screen.findByText('Dec 12, 2026')).toBeDefined()
    const link = screen.getByRole('link', { name: 'Turn it on' })
    expect(link.getAttribute('href')).toBe('/supplier/settings')
  })

  it('is all that is shown once the time is over, with a way out', async () => {
    renderApp('/supplier/settings', asked(true), settings)
    expect(await screen.findByRole('heading', { name: 'Turn on a second factor' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Turn on…' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Logout' })).toBeDefined()
    expect(screen.queryByRole('heading', { name: 'Settings' })).toBeNull()
  })

  it('is asked for at once when a call says that the time is over meanwhile', async () => {
    let isOverdue = false
    renderApp('/supplier/settings', supplierUser, {
      ...settings,
      'session.current': () => (isOverdue ? asked(true) : supplierUser),
      'secondFactor.get': () => {
        isOverdue = true
        throw new Refusal(403, 'No', undefined, undefined, 'second_factor_setup_required')
      },
    })
    expect(await screen.findByRole('heading', { name: 'Turn on a second factor' })).toBeDefined()
  })
})

const RULES: SignInRules = {
  requirements: [
    { role: 'SUPER_ADMIN', graceDays: null, since: null, people: 1, peopleWithout: 1 },
    { role: 'SUPPLIER', graceDays: 7, since: BY, people: 12, peopleWithout: 3 },
    { role: 'RETAILER', graceDays: null, since: null, people: 0, peopleWithout: 0 },
  ],
  passwordMinLength: 6,
  isCommonRefused: false,
}

describe('the sign-in rules in the settings of an administrator', () => {
  it('say whom they meet, and are saved together', async () => {
    const sent: unknown[] = []
    renderApp('/dashboard/super-admin/settings', adminUser, {
      ...settings,
      'signInRules.get': () => RULES,
      'signInRules.change': (input) => {
        sent.push(input)
        return { message: 'Saved' }
      },
    })
    expect(await screen.findByText(/3 of 12 people have none yet\./)).toBeDefined()
    expect(screen.getByText('The only one has none yet.')).toBeDefined()
    expect(screen.getByText('There are none yet.')).toBeDefined()
    await userEvent.click(
      screen.getByRole('switch', { name: /^Administrators need a second factor/ }),
    )
    await userEvent.click(screen.getByRole('switch', { name: /^Suppliers need a second factor/ }))
    const length = screen.getByLabelText('Minimum length of new passwords')
    await userEvent.clear(length)
    await userEvent.type(length, '12')
    await userEvent.click(screen.getByRole('switch', { name: /^Refuse the most common passwords/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent).toEqual([
        {
          graceDays: { SUPER_ADMIN: 14, SUPPLIER: null, RETAILER: null },
          passwordMinLength: 12,
          isCommonRefused: true,
        },
      ]),
    )
  })
})
