import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { OwnAccount } from '../../../shared/schemas/personal-data'
import type { CurrentUser } from '../../../shared/schemas/user'
import { renderApp, supplierUser } from '../../testing/render-app'

const PROFILE = {
  companyName: 'Northbeck',
  publicEmail: null,
  publicPhone: null,
  publicWebsite: null,
}
const DAY = '2026-12-10T12:00:00.000Z'
const alone: OwnAccount = {
  companyName: 'Northbeck Outdoor',
  confirmedBy: 'password',
  what: 'company',
  retailerCount: 3,
}

function open(account: OwnAccount, user: CurrentUser = supplierUser) {
  const sent: unknown[] = []
  renderApp('/supplier/settings', user, {
    'suppliers.profile': () => PROFILE,
    'secondFactor.get': () => ({ since: null, recoveryCodesLeft: 0, hasPassword: true }),
    'personalData.ownAccount': () => account,
    'personalData.deleteAccount': (input) => {
      sent.push(input)
      return { deletionAt: account.what === 'company' ? DAY : null }
    },
    'personalData.keepAccount': (input) => {
      sent.push(input)
      return { message: 'The account stays' }
    },
  })
  return sent
}

async function openDialog() {
  await userEvent.click(await screen.findByRole('button', { name: 'Delete account…' }))
  return within(await screen.findByRole('dialog', { name: 'Delete account' }))
}

describe('Your data', () => {
  it('leads to what is stored, as JSON and as CSV', async () => {
    open(alone)
    const panel = within(await screen.findByRole('region', { name: 'Your data' }))
    const links = panel.getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/api/account/data.json',
      '/api/account/data.csv',
    ])
  })

  it('tells an only owner what goes along, and when, before the password is asked for', async () => {
    const sent = open(alone)
    const dialog = await openDialog()
    const form = await dialog.findByText(/is deleted in 14 days/)
    expect(form.textContent).toMatch(/^Northbeck Outdoor is deleted .*people and 3 retailers/)
    await userEvent.type(dialog.getByLabelText('Your password'), 'correct horse')
    await userEvent.click(dialog.getByRole('button', { name: 'Delete in 14 days' }))
    await waitFor(() => expect(sent).toEqual([{ confirmation: 'correct horse' }]))
  })

  it('asks who has no password for the username', async () => {
    const sent = open({ ...alone, confirmedBy: 'username' })
    const dialog = await openDialog()
    await userEvent.type(await dialog.findByLabelText('Type northbeck to confirm'), 'northbeck')
    await userEvent.click(dialog.getByRole('button', { name: 'Delete in 14 days' }))
    await waitFor(() => expect(sent).toEqual([{ confirmation: 'northbeck' }]))
  })

  it('lets one of several owners choose between the own login and the company', async () => {
    const sent = open({ ...alone, what: 'person' })
    const dialog = await openDialog()
    expect(await dialog.findByRole('button', { name: 'Delete now' })).toBeDefined()
    await userEvent.click(dialog.getByRole('checkbox', { name: /the whole company/ }))
    await userEvent.type(dialog.getByLabelText('Your password'), 'correct horse')
    await userEvent.click(dialog.getByRole('button', { name: 'Delete in 14 days' }))
    await waitFor(() => expect(sent).toEqual([{ confirmation: 'correct horse', scope: 'company' }]))
  })

  it('says to the last administrator that there must be another one', async () => {
    open({ ...alone, what: 'nothing' })
    const dialog = await openDialog()
    expect(await dialog.findByText(/only administrator/)).toBeDefined()
    expect(dialog.queryByLabelText('Your password')).toBeNull()
  })
})

describe('a company that waits to be deleted', () => {
  const waiting: CurrentUser = { ...supplierUser, deletionAt: DAY }

  it('says so on each page, and an owner keeps it', async () => {
    const sent = open(alone, waiting)
    const banner = (await screen.findByText('This account is to be deleted on')).closest('output')
    expect(banner?.textContent).toContain('Dec 10, 2026')
    expect(screen.queryByRole('button', { name: 'Delete account…' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Keep the account' }))
    await waitFor(() => expect(sent).toEqual([{}]))
  })

  it('says to others who can keep it', async () => {
    open(alone, { ...waiting, member: { id: 5, role: 'VIEWER' } })
    expect(await screen.findByText(/An owner can keep it until then/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Keep the account' })).toBeNull()
  })
})
