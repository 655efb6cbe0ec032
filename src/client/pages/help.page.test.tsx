import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { version } from '../../../package.json'
import type { User } from '../../shared/schemas/user'
import { adminUser, renderApp, supplierUser } from '../testing/render-app'

const retailerUser: User = { ...supplierUser, id: 3, username: 'summit', role: 'RETAILER' }

const region = (name: string) => screen.findByRole('region', { name })

describe('the Help page', () => {
  it.each([
    [adminUser, 'Is there a backup?', '/dashboard/super-admin/cron-jobs'],
    [supplierUser, 'Why is my new file held?', '/supplier/connections'],
    [retailerUser, 'Is an item in my file?', '/retailer/inventory'],
  ])(
    'answers what the role of %o asks, with the page where it is',
    async (user, question, path) => {
      renderApp('/help', user, {})
      const asked = await within(await region('Questions')).findByRole('heading', {
        name: question,
      })
      const link = within(asked.parentElement!).getByRole('link')
      expect(link.getAttribute('href')).toBe(path)
    },
  )

  it('is reached from the user menu, and tells the version', async () => {
    renderApp('/alerts', supplierUser, {})
    await userEvent.click(await screen.findByRole('button', { name: /account of/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Help' }))
    expect(await screen.findByText(`Version ${version}`)).toBeDefined()
  })

  it('tells what is new, at first a part of it, and commands to administrators only', async () => {
    renderApp('/help', supplierUser, {})
    const news = await region('What’s new')
    await within(news).findByRole('heading', { name: /^\d+\.\d+\.\d+ - / })
    const before = within(news).getAllByRole('listitem').length
    await userEvent.click(within(news).getAllByRole('button', { name: /^Show all/ })[0]!)
    expect(within(news).getAllByRole('listitem').length).toBeGreaterThan(before)
    expect(news.querySelector('code')).toBeNull()
  })
})
