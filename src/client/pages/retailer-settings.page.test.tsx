import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { FeedAddress } from '../../shared/schemas/feed-address'
import { answerCategories } from '../testing/category-answers'
import { renderApp, supplierUser } from '../testing/render-app'
import { sampleConnection } from '../testing/sample-records'
import { ago, answerShop, readAddress, waitingAddress } from '../testing/shop-answers'

async function readShop(addresses: FeedAddress[]) {
  renderApp('/supplier/retailers/1', supplierUser, {
    ...answerCategories([], 2).answers,
    ...answerShop(addresses, { kind: 'wooCommerce' }).answers,
    'connections.list': () => [sampleConnection],
  })
  const shop = await screen.findByRole('region', { name: 'The shop' })
  await within(shop).findByText('WooCommerce')
  return shop
}

const refusal = { at: ago(9), reason: 'network', client: null, from: null } as const

describe('the page of a retailer', () => {
  it.each<[string, FeedAddress[]]>([
    ['Not connected', []],
    ['Waiting for the first read', [waitingAddress]],
    ['Connected', [readAddress]],
    ['Refused 9 minutes ago', [{ ...waitingAddress, lastRefusal: refusal }]],
    ['Expired', [{ ...readAddress, validUntil: ago(60) }]],
  ])('says of the shop beside its reads: %s', async (state, addresses) => {
    const shop = await readShop(addresses)
    expect(within(shop).getAllByRole('definition')[0]?.textContent).toBe(state)
  })

  it('leads to how the shop is connected', async () => {
    const link = within(await readShop([])).getByRole('link', { name: 'Open its page' })
    expect(link.getAttribute('href')).toBe('/supplier/retailers/1/shop')
  })
})
