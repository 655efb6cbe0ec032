import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { SignedInUserContext } from '../../session/current-user'
import { InRouter } from '../../testing/render'
import { Refusal, renderWithAnswers, supplierUser, type Answers } from '../../testing/render-app'
import { StockCards } from './stock-cards'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const file = {
  fileName: '1.csv',
  rowCount: 1_204,
  downloadDate: ago(24),
  dataAsOf: ago(24),
  fileSize: 20_000,
  downloadUrl: '/api/1.csv',
  newerFile: null,
  nextUpdateAt: null,
  freshness: 'on-time',
}
const changes = {
  rowCount: 1_204,
  previousRowCount: 1_192,
  previousDataAsOf: ago(84),
  appeared: null,
  vanished: null,
}
const address = {
  id: 1,
  tokenEnd: 'abcd',
  createdAt: ago(500),
  expiresAt: null,
  lastUsedAt: ago(9),
  lastClient: 'WooCommerce',
}

async function read(title: string, loaded: RegExp, answers: Answers = {}) {
  const cards = (
    <SignedInUserContext value={{ ...supplierUser, role: 'RETAILER' }}>
      <StockCards retailerId={7} />
    </SignedInUserContext>
  )
  renderWithAnswers(<InRouter element={cards} />, {
    'retailers.latestFile': () => file,
    'retailers.changes': () => changes,
    'feedAddresses.list': () => [address],
    ...answers,
  })
  const card = await screen.findByRole('region', { name: title })
  await within(card).findByText(loaded)
  return card
}

describe('the first questions of a retailer', () => {
  it.each([
    ['on-time', /^Fresh$/],
    ['late', /^Late$/],
    ['overdue', /^Overdue$/],
  ])('say of data that are %s: %s', async (freshness, word) => {
    const answers = { 'retailers.latestFile': () => ({ ...file, freshness }) }
    expect((await read('Your stock', word, answers)).textContent).toContain('as of 24 minutes ago')
  })

  it.each([
    ['in 40 minutes', -40],
    ['at any moment', 3],
  ])('say when the next file may come: %s', async (words, minutes) => {
    const answers = {
      'retailers.latestFile': () => ({ ...file, nextUpdateAt: ago(minutes) }),
    }
    expect((await read('Your stock', /^Fresh$/, answers)).textContent).toContain(
      `as of 24 minutes ago; next ${words}`,
    )
  })

  it.each([
    [
      'Ask your supplier',
      'mailto:stock@northbeck.example',
      { publicEmail: 'stock@northbeck.example' },
    ],
    ['Call your supplier', 'tel:+44123', { publicPhone: '+44 123' }],
    ['Ask your supplier', 'https://northbeck.example/', { publicWebsite: 'northbeck.example' }],
    ['What to do', '/help', {}],
  ])('lead from late data to whoever can say why: %s at %s', async (name, href, contact) => {
    const card = await read('Your stock', /^Late$/, {
      'retailers.latestFile': () => ({ ...file, freshness: 'late' }),
      'retailers.supplier': () => ({ companyName: 'Northbeck', ...contact }),
    })
    const link = await within(card).findByRole('link', { name: new RegExp(`^${name}`) })
    await expect.poll(() => link.getAttribute('href')).toBe(href)
  })

  it('say that there is no file yet, in the words of the product', async () => {
    const answers = { 'retailers.latestFile': () => ({ message: 'No file available yet' }) }
    expect((await read('Your stock', /^No file yet$/, answers)).textContent).toContain(
      'No file available yet',
    )
  })

  it('say what could not be loaded, and answer the others', async () => {
    const answers = {
      'retailers.changes': () => {
        throw new Refusal(500, 'Internal server error')
      },
    }
    expect((await read('Last change', /^Could not be loaded$/, answers)).textContent).toContain('–')
    const shop = screen.getByRole('region', { name: 'Your shop' })
    expect(await within(shop).findByText('Connected')).toBeDefined()
  })

  it('say how many rows came with the last file', async () => {
    expect((await read('Last change', /^\+12 rows$/)).textContent).toContain('1,204 rows now')
  })

  it('say which program has read, and when', async () => {
    expect((await read('Your shop', /^Connected$/)).textContent).toContain(
      'WooCommerce read 9 minutes ago',
    )
  })

  it.each([
    ['Connect your shop', []],
    ['Waiting for the first read', [{ ...address, lastUsedAt: null, lastClient: null }]],
  ])('lead to where the shop is connected: %s', async (name, addresses) => {
    const answers = { 'feedAddresses.list': () => addresses }
    const card = await read('Your shop', new RegExp(name), answers)
    expect(within(card).getByRole('link', { name }).getAttribute('href')).toBe('/retailer/shop')
  })
})
