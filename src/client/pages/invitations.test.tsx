import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { Invitation } from '../../shared/schemas/invitation'
import { Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

const invitation: Invitation = {
  id: 5,
  kind: 'RETAILER',
  name: 'Corner Shop',
  role: null,
  email: 'me@corner.example',
  state: 'open',
  mailState: 'sent',
  renewedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-08T00:00:00.000Z',
  endedAt: null,
  acceptedBy: null,
}

const renderList = (invitations: Invitation[], answers: Answers = {}, maxRetailers = 10) =>
  renderApp(
    '/supplier/retailers',
    { ...supplierUser, maxRetailers },
    {
      'retailers.usage': () => [],
      'retailers.page': () => ({
        rows: [sampleRetailer],
        matchCount: 1,
        totalCount: 1,
        page: 1,
        pageCount: 1,
      }),
      'connections.list': () => [],
      'invitations.list': () => ({
        invitations,
        openCount: invitations.filter(({ state }) => state === 'open').length,
        hasMail: true,
      }),
      ...answers,
    },
  )

const table = () => screen.findByRole('table', { name: 'Invitations' })

describe('the invitations of a supplier', () => {
  it.each([
    ['Open', {}],
    ['Being sent', { mailState: 'sending' }],
    ['Mail not sent', { mailState: 'failed' }],
    ['Expired', { state: 'expired' }],
  ] as const)('that wait are listed with their state: %s', async (text, changes) => {
    renderList([{ ...invitation, ...changes }])
    expect(within(await table()).getByText(text)).toBeDefined()
    expect(screen.queryByText('Earlier invitations')).toBeNull()
  })

  it('that have ended are listed on demand, with whoever accepted', async () => {
    const ended = { ...invitation, endedAt: '2026-01-02T00:00:00.000Z' }
    renderList([
      { ...ended, state: 'accepted', acceptedBy: 'corner' },
      { ...ended, id: 6, state: 'withdrawn' },
    ])
    await userEvent.click(await screen.findByRole('button', { name: 'Show' }))
    const earlier = within(screen.getByRole('table', { name: 'Earlier invitations' }))
    expect(earlier.getByText('Accepted by corner')).toBeDefined()
    expect(earlier.getByText('Withdrawn')).toBeDefined()
    expect(screen.queryByRole('table', { name: 'Invitations' })).toBeNull()
  })

  it('count to the retailers that it may have', async () => {
    renderList([invitation], {}, 2)
    expect(await screen.findByText('1 of 2 retailers in use, 1 invited')).toBeDefined()
    for (const name of ['Add Retailer', 'Add several', 'Invite']) {
      expect(screen.getByRole('button', { name })).toHaveProperty('disabled', true)
    }
    expect(screen.getByText(/in use or invited/)).toBeDefined()
  })

  it('say why they could not be loaded, and the retailers are there all the same', async () => {
    renderList([], {
      'invitations.list': () => {
        throw new Refusal(503, 'The server is busy')
      },
    })
    expect(await screen.findByText('The server is busy')).toBeDefined()
    expect(await screen.findByRole('table', { name: 'Retailers' })).toBeDefined()
  })

  it('are asked for before another link ends the one that was sent', async () => {
    let renewed: unknown
    renderList([invitation], {
      'invitations.renew': (input: unknown) => {
        renewed = input
        return { invitation, path: '/invitation#token=abc' }
      },
    })
    await userEvent.click(
      await screen.findByRole('button', { name: 'Copy the link of Corner Shop' }),
    )
    expect(await screen.findByText(/also the one that was sent by mail/)).toBeDefined()
    expect(renewed).toBeUndefined()
    await userEvent.click(screen.getByRole('button', { name: 'Create link' }))
    expect(await screen.findByText('https://stock.example/invitation#token=abc')).toBeDefined()
    expect(renewed).toEqual({ id: 5, isMailed: false })
  })

  it('need an address only when they are sent, and tell what is wrong with it', async () => {
    const sent: unknown[] = []
    renderList([], {
      'invitations.inviteRetailer': (input: unknown) => {
        sent.push(input)
        return { invitation, path: '/invitation#token=abc' }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Invite' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite a retailer' }))
    await userEvent.type(await dialog.findByRole('textbox', { name: 'Store Name' }), 'Corner Shop')
    await userEvent.click(dialog.getByRole('button', { name: 'Send invitation' }))
    expect(await dialog.findByText('Invalid email address')).toBeDefined()
    await userEvent.click(dialog.getByText('Copy a link'))
    await userEvent.click(dialog.getByRole('button', { name: 'Create link' }))
    await waitFor(() =>
      expect(sent).toEqual([
        {
          storeName: 'Corner Shop',
          email: null,
          syncFrequency: 1440,
          visibilitySettings: { allProducts: true, categories: [] },
        },
      ]),
    )
  })

  it('have the form of the file that its shop reads, with what that needs to know', async () => {
    const sent: object[] = []
    renderList([], {
      'invitations.inviteRetailer': (input: object) => {
        sent.push(input)
        return { invitation, path: null }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Invite' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite a retailer' }))
    await userEvent.type(await dialog.findByRole('textbox', { name: 'Store Name' }), 'Corner Shop')
    await userEvent.type(dialog.getByRole('textbox', { name: 'Email' }), 'shop@corner.example')
    await userEvent.click(dialog.getByRole('combobox', { name: 'Format of its file' }))
    expect(screen.queryByRole('option', { name: 'Own columns' })).toBeNull()
    await userEvent.click(await screen.findByRole('option', { name: 'Shopify app, by location' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Send invitation' }))
    expect(await dialog.findByText('Enter the location as it is called in the shop')).toBeDefined()
    await userEvent.type(dialog.getByRole('textbox', { name: 'Location' }), 'Main store')
    await userEvent.click(dialog.getByRole('button', { name: 'Send invitation' }))
    await waitFor(() =>
      expect(sent).toMatchObject([{ profile: { kind: 'shopify', location: 'Main store' } }]),
    )
  })
})
