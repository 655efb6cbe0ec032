import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { FeedAddress } from '../../../shared/schemas/feed-address'
import { shopFormatSchema, type ShopFormat } from '../../../shared/schemas/shop-format'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import { FeedAddressPanel } from './feed-address-panel'

const HOUR = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

const active: FeedAddress = {
  id: 2,
  tokenEnd: 'x7Qa',
  createdAt: ago(HOUR),
  expiresAt: null,
  lastUsedAt: ago(5 * 60_000),
  lastClient: 'curl',
}
const replaced: FeedAddress = {
  ...active,
  id: 1,
  tokenEnd: 'b_9K',
  expiresAt: ago(-20 * HOUR),
  lastUsedAt: null,
  lastClient: null,
}
const PATH = '/feeds/secret-token/inventory.csv'
const URL = `https://stock.example${PATH}`

/** Renders the card over a server that has these addresses. */
function renderCard(addresses: FeedAddress[], profile: Partial<ShopFormat> = {}) {
  const calls: string[] = []
  renderWithAnswers(<FeedAddressPanel retailerId={3} description="Of the shop" />, {
    'app.info': () => ({ appName: 'Stockbridge', publicUrl: 'https://stock.example' }),
    'profiles.get': () => ({
      profile: shopFormatSchema.parse(profile),
      columns: [],
      problems: null,
    }),
    'feedAddresses.list': () => addresses,
    'feedAddresses.create': () => {
      calls.push('create')
      addresses = [active]
      return { path: PATH }
    },
    'feedAddresses.revoke': () => {
      calls.push('revoke')
      addresses = []
      return { message: 'Feed address revoked' }
    },
  })
  return calls
}

const click = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name, exact: true } as { name: string }))

describe('the card of a feed address', () => {
  it('shows a new address as a whole, with examples that contain it', async () => {
    renderCard([])
    await click('Create address')
    const shown = await screen.findByText('Copy the address now: it is shown only once')
    expect(within(shown.parentElement!).getByText(URL)).toBeDefined()
    await userEvent.selectOptions(screen.getByLabelText('Read it with'), 'Google Sheets')
    expect(screen.getByText(`=IMPORTDATA("${URL}")`)).toBeDefined()
  })

  it('shows of a known address only the end of its token, and its last use', async () => {
    renderCard([active, replaced])
    const [first, second] = await screen.findAllByRole('listitem')
    expect(first?.textContent).toBe('/feeds/…x7Qa/inventory.csvActiveRead 5 minutes ago with curl')
    expect(second?.textContent).toBe('/feeds/…b_9K/inventory.csvEnds in 20 hoursNot read yet')
    expect(screen.getByText(/YOUR-TOKEN/)).toBeDefined()
  })

  it('shows the ending that importers of the shop’s format expect', async () => {
    renderCard([active], { kind: 'shopify', location: 'Main' })
    expect(await screen.findByText('/feeds/…x7Qa/products.csv')).toBeDefined()
    expect(screen.getByText(/YOUR-TOKEN\/products\.csv/)).toBeDefined()
    await click('Replace')
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Replace' }),
    )
    expect(await screen.findByText(URL.replace('inventory', 'products'))).toBeDefined()
  })

  it('asks before an address is replaced or revoked', async () => {
    const calls = renderCard([active])
    await click('Replace')
    expect(calls).toEqual([])
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Replace' }),
    )
    expect(await screen.findByText(URL)).toBeDefined()
    await click('Revoke')
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }),
    )
    expect(await screen.findByText('No address yet')).toBeDefined()
    expect(calls).toEqual(['create', 'revoke'])
  })

  it('says when the addresses could not be loaded', async () => {
    renderWithAnswers(<FeedAddressPanel retailerId={3} description="Of the shop" />, {
      'app.info': () => ({ appName: 'Stockbridge' }),
      'feedAddresses.list': () => Promise.reject(new Refusal(500, 'No')),
    })
    expect(await screen.findByText('The feed address could not be loaded')).toBeDefined()
  })
})
