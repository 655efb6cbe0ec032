import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { FeedAddress } from '../../../shared/schemas/feed-address'
import { shopFormatSchema, type ShopFormat } from '../../../shared/schemas/shop-format'
import { Refusal, renderWithAnswers } from '../../testing/render-app'
import {
  activeLink,
  answerLinks,
  clickButton,
  confirm,
  replacedLink,
} from '../../testing/secret-link-answers'
import { FeedAddressPanel } from './feed-address-panel'

const PATH = '/feeds/secret-token/inventory.csv'
const URL = `https://stock.example${PATH}`

/** Renders the card over a server that has these addresses. */
function renderCard(addresses: FeedAddress[], profile: Partial<ShopFormat> = {}) {
  const { answers, calls } = answerLinks('feedAddresses', addresses, PATH)
  renderWithAnswers(<FeedAddressPanel retailerId={3} description="Of the shop" />, {
    ...answers,
    'profiles.get': () => ({
      profile: shopFormatSchema.parse(profile),
      columns: [],
      problems: null,
    }),
  })
  return calls
}

describe('the card of a feed address', () => {
  it('shows a new address as a whole, with examples that contain it', async () => {
    renderCard([])
    await clickButton('Create address')
    const shown = await screen.findByText('Copy the address now: it is shown only once')
    expect(within(shown.parentElement!).getByText(URL)).toBeDefined()
    await userEvent.selectOptions(screen.getByLabelText('Read it with'), 'Google Sheets')
    expect(screen.getByText(`=IMPORTDATA("${URL}")`)).toBeDefined()
  })

  it('shows of a known address only the end of its token, and its last use', async () => {
    renderCard([activeLink, replacedLink])
    const [first, second] = await screen.findAllByRole('listitem')
    expect(first?.textContent).toBe('/feeds/…x7Qa/inventory.csvActiveRead 5 minutes ago with curl')
    expect(second?.textContent).toBe('/feeds/…b_9K/inventory.csvEnds in 20 hoursNot read yet')
    expect(screen.getByText(/YOUR-TOKEN/)).toBeDefined()
  })

  it('shows the ending that importers of the shop’s format expect', async () => {
    renderCard([activeLink], { kind: 'shopify', location: 'Main' })
    expect(await screen.findByText('/feeds/…x7Qa/products.csv')).toBeDefined()
    expect(screen.getByText(/YOUR-TOKEN\/products\.csv/)).toBeDefined()
    await clickButton('Replace')
    await confirm('Replace')
    expect(await screen.findByText(URL.replace('inventory', 'products'))).toBeDefined()
  })

  it('asks before an address is replaced or revoked', async () => {
    const calls = renderCard([activeLink])
    await clickButton('Replace')
    expect(calls).toEqual([])
    await confirm('Replace')
    expect(await screen.findByText(URL)).toBeDefined()
    await clickButton('Revoke')
    await confirm('Revoke')
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
