import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type { FeedAddress } from '../../shared/schemas/feed-address'
import type { ShopFormat } from '../../shared/schemas/shop-format'
import { SHOPS } from '../lib/shop-view'
import { Refusal, renderApp, supplierUser, type Answers } from '../testing/render-app'
import { sampleConnection } from '../testing/sample-records'
import { clickButton, confirm } from '../testing/secret-link-answers'
import {
  ago,
  answerShop,
  NEW_PATH,
  readAddress,
  replacedAddress,
  shopFile,
  shopUsage,
  usedShop,
  waitingAddress,
} from '../testing/shop-answers'

const retailerUser = { ...supplierUser, role: 'RETAILER' } as const
const URL = `https://stock.example${NEW_PATH}`

interface Options {
  search?: string
  stored?: Partial<ShopFormat>
  answers?: Answers
}

function open(addresses: FeedAddress[], { search = '', stored, answers }: Options = {}) {
  const shop = answerShop(addresses, stored)
  const app = renderApp(`/retailer/shop${search}`, retailerUser, { ...shop.answers, ...answers })
  return { ...shop, ...app }
}

function openAsSupplier(addresses: FeedAddress[], { search = '', answers }: Options = {}) {
  const shop = answerShop(addresses)
  const app = renderApp(`/supplier/retailers/1/shop${search}`, supplierUser, {
    ...shop.answers,
    'connections.list': () => [sampleConnection],
    ...answers,
  })
  return { ...shop, ...app }
}

const region = (name: string) => screen.findByRole('region', { name })
/** The state of the shop, once it is known. */
async function state(name = 'Your shop') {
  const panel = await region(name)
  await waitFor(() => expect(within(panel).queryByLabelText('Loading the reads')).toBeNull())
  return panel
}
const choose = async (name: string) => userEvent.click(await screen.findByRole('radio', { name }))
const missing = { 'retailers.latestFile': () => ({ message: 'No file available yet' }) }
const held = { 'connections.list': () => [{ ...sampleConnection, status: 'held' }] }

describe('the state of a shop', () => {
  it('is not connected at first', async () => {
    open([])
    const panel = await state()
    expect(within(panel).getByRole('status').textContent).toBe('Not connected')
    expect(panel.textContent).toContain('create its address, and paste it there')
  })

  it('tells of the last read when no address works any more', async () => {
    open([], { answers: { 'retailers.usage': () => [usedShop] } })
    expect((await state()).textContent).toContain(
      'No address works now, so your shop cannot read. The file was last read 9 minutes ago with WooCommerce/9.1.',
    )
  })

  it('waits for the first read', async () => {
    open([waitingAddress])
    expect(within(await state()).getByRole('status').textContent).toBe(
      'Waiting for the first read …',
    )
  })

  it('tells what was read, when, how often and by which program', async () => {
    open([readAddress, replacedAddress])
    const panel = await state()
    expect(within(panel).getByRole('status').textContent).toMatch(
      /^Your shop has read 1,204 rows (at|on) .*\d/,
    )
    await within(panel).findByText('Has it')
    const values = within(panel).getAllByRole('definition')
    expect(values.map(({ textContent }) => textContent)).toEqual([
      '9 minutes ago',
      'WooCommerce/9.1',
      '31',
      'Has it',
    ])
    expect(panel.textContent).not.toContain('Behind')
  })

  it('has the rows of the read before when the file had not changed', async () => {
    const later = { ...readAddress, lastUsedAt: ago(1) }
    open([later])
    expect(within(await state()).getByRole('status').textContent).toContain('1,204 rows')
  })

  it('waits for the read of a new address while the shop still uses the one before', async () => {
    open([waitingAddress, { ...readAddress, id: 1, expiresAt: ago(-20 * 60) }])
    const panel = await state()
    expect(panel.textContent).toContain('Your shop has read 1,204 rows')
    expect(panel.textContent).toContain(
      'Waiting for the first read of the new address. The one before ends in 20 hours',
    )
  })

  it('names no rows when they are no longer known', async () => {
    open([readAddress], { answers: { 'retailers.downloads': () => [] } })
    expect(within(await state()).getByRole('status').textContent).toMatch(
      /^Your shop has read its file /,
    )
  })

  it.each<[string, Answers, string]>([
    [
      'is behind',
      { 'retailers.latestFile': () => ({ ...shopFile, downloadDate: ago(3) }) },
      'Behind: a newer file is there since 3 minutes ago, which your shop has not read yet.',
    ],
    [
      'has stopped reading',
      { 'retailers.usage': () => [{ ...usedShop, isSilent: true }] },
      'Your shop has stopped reading',
    ],
    ['has no file yet', missing, 'Your supplier has not published a file yet.'],
    [
      'reads old data',
      { 'retailers.latestFile': () => ({ ...shopFile, freshness: 'overdue' }) },
      'The data are from 24 minutes ago and overdue',
    ],
  ])('%s', async (_state, answers, text) => {
    open([readAddress], { answers })
    await waitFor(async () => expect((await state()).textContent).toContain(text))
  })

  it('says what could not be loaded', async () => {
    const refuse = () => Promise.reject(new Refusal(500, 'No'))
    open([], { answers: { 'feedAddresses.list': refuse, 'profiles.get': refuse } })
    for (const title of [
      'The reads could not be loaded',
      'The feed address could not be loaded',
      'The format could not be loaded',
    ]) {
      expect(await screen.findByText(title)).toBeDefined()
    }
  })
})

describe('the choice of a shop', () => {
  it('proposes the format that suits it, which is saved with its options', async () => {
    const { previewed, saved, router } = open([])
    await choose('WooCommerce')
    expect(router.state.location.search).toEqual({ shop: 'woocommerce' })
    await expect.poll(() => previewed.at(-1)).toMatchObject({ kind: 'wooCommerce' })
    await userEvent.click(screen.getByText('Prefix, buffer and limits'))
    await userEvent.type(screen.getByLabelText('Buffer'), '2')
    await expect.poll(() => previewed.at(-1)).toMatchObject({ kind: 'wooCommerce', buffer: 2 })
    await clickButton('Use this format')
    await expect.poll(() => saved).toMatchObject([{ kind: 'wooCommerce', buffer: 2, cap: null }])
    const done = await screen.findByText('The file has this format')
    await waitFor(() => expect(document.activeElement).toBe(done))
    expect(screen.getByText('Rows without a SKU were left out. (3 times)')).toBeDefined()
  })

  it('is kept in the address of the page', async () => {
    open([], { search: '?shop=sheets' })
    expect(await screen.findByRole('radio', { name: 'Google Sheets' })).toHaveProperty(
      'checked',
      true,
    )
    expect(await screen.findByText(/^=IMPORTDATA.*••••/)).toBeDefined()
  })

  it('follows the stored format, which is then not changed', async () => {
    open([readAddress], { stored: { kind: 'adobe' } })
    const chosen = await screen.findByRole('radio', { name: 'Adobe Commerce' })
    expect(chosen).toHaveProperty('checked', true)
    expect(await screen.findByText('The file has this format')).toBeDefined()
  })

  it('leaves a stored format that suits the shop', async () => {
    open([], { search: '?shop=woocommerce', stored: { kind: 'stock' } })
    expect(await screen.findByText('The file has this format')).toBeDefined()
  })

  it('is not saved before its options are complete', async () => {
    const { previewed, saved } = open([], { search: '?shop=shopify' })
    await screen.findByText('Complete the options to see the first rows.')
    await clickButton('Use this format')
    expect(await screen.findByText('Enter the location as it is called in the shop')).toBeDefined()
    expect([saved, previewed]).toEqual([[], []])
  })

  it('guards formulas in Excel unless the choice is taken back', async () => {
    const { saved } = open([], { stored: { kind: 'excel' } })
    const guards = await screen.findByRole('checkbox', { name: /^Guard formulas/ })
    expect(guards).toHaveProperty('checked', true)
    await userEvent.click(guards)
    await clickButton('Use this format')
    await expect.poll(() => saved).toMatchObject([{ kind: 'excel', guardsFormulas: false }])
  })

  it('leaves columns out again', async () => {
    const columns = [
      { column: 'sku', header: 'Code' },
      { column: 'name', header: 'Title' },
    ]
    const { saved } = open([], { stored: { kind: 'own', columns } })
    await clickButton('Leave out sku')
    await clickButton('Use this format')
    await expect.poll(() => saved[0]?.columns).toEqual([{ column: 'name', header: 'Title' }])
  })
})

describe('what is chosen and typed of a format', () => {
  const columns = [{ column: 'name', header: 'Title' }]

  /** Chooses a column, and types the name that it has in the file. */
  async function addColumn() {
    await userEvent.click(await screen.findByRole('combobox', { name: 'Add a column' }))
    await userEvent.click(await screen.findByRole('option', { name: 'name' }))
    const header = await screen.findByRole('textbox', { name: 'Name of name in the file' })
    await userEvent.clear(header)
    await userEvent.type(header, 'Title')
  }

  it('is there again after another shop was looked at', async () => {
    const { saved } = open([], { search: '?shop=sheets', stored: { kind: 'asIs' } })
    await addColumn()
    await choose('Excel')
    await waitFor(() => expect(screen.queryByText('Complete the options')).toBeNull())
    expect(screen.queryByRole('textbox', { name: 'Name of name in the file' })).toBeNull()
    await choose('Google Sheets')
    const header = await screen.findByRole('textbox', { name: 'Name of name in the file' })
    expect(header).toHaveProperty('value', 'Title')
    await clickButton('Use this format')
    await expect.poll(() => saved).toMatchObject([{ kind: 'own', columns }])
  })

  it('goes along to the first shop that is chosen', async () => {
    open([], { stored: { kind: 'own' } })
    await addColumn()
    await choose('Google Sheets')
    const header = await screen.findByRole('textbox', { name: 'Name of name in the file' })
    expect(header).toHaveProperty('value', 'Title')
  })

  it('is not left without being asked', async () => {
    const { router } = open([], { search: '?shop=sheets', stored: { kind: 'asIs' } })
    await addColumn()
    await choose('Excel')
    void router.navigate({ to: '/retailer' })
    expect(await screen.findByText('Discard your changes?')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
    expect(router.state.location.pathname).toBe('/retailer/shop')
  })

  it('is left without a question once it is used, and while only a shop was chosen', async () => {
    const { router, saved } = open([], { search: '?shop=sheets', stored: { kind: 'asIs' } })
    await addColumn()
    await clickButton('Use this format')
    await expect.poll(() => saved).toHaveLength(1)
    await screen.findByText('The file has this format')
    await choose('Excel')
    void router.navigate({ to: '/retailer' })
    await expect.poll(() => router.state.location.pathname).toBe('/retailer')
    expect(screen.queryByText('Discard your changes?')).toBeNull()
  })
})

describe('the address of a shop', () => {
  it('is shown as a whole once, with what is to be pasted', async () => {
    open([], { search: '?shop=sheets' })
    await clickButton('Create address')
    const shown = await screen.findByText('Copy the address now: it is shown only once')
    expect(within(shown.parentElement!).getByText(URL)).toBeDefined()
    expect(screen.getByText(`=IMPORTDATA("${URL}")`)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Copy what is to be pasted' })).toBeDefined()
  })

  it('is masked afterwards, and not offered to be copied', async () => {
    open([waitingAddress, replacedAddress], { search: '?shop=script' })
    const code = await screen.findByText(/^curl --fail/)
    expect(code.textContent).toContain('"https://stock.example/feeds/••••x7Qa/inventory.csv"')
    expect(screen.queryByRole('button', { name: /^Copy/ })).toBeNull()
    const [first, second] = within(
      await screen.findByRole('list', { name: 'Feed addresses' }),
    ).getAllByRole('listitem')
    expect(first?.textContent).toBe('/feeds/…x7Qa/inventory.csvActiveNot read yet')
    expect(second?.textContent).toBe('/feeds/…b_9K/inventory.csvEnds in 20 hoursNot read yet')
  })

  it('ends as importers of the format expect', async () => {
    open([waitingAddress], { stored: { kind: 'shopify', location: 'Main' } })
    expect(await screen.findByText('/feeds/…x7Qa/products.csv')).toBeDefined()
    await clickButton('Replace')
    await confirm('Replace')
    const whole = await screen.findAllByText(URL.replace('inventory', 'products'))
    expect(whole).toHaveLength(2)
  })

  it('is replaced and revoked only after a question', async () => {
    const { calls } = open([waitingAddress])
    await clickButton('Replace')
    expect(calls).toEqual([])
    await confirm('Replace')
    expect(await screen.findByText(URL)).toBeDefined()
    await clickButton('Revoke')
    await confirm('Revoke')
    expect(await screen.findByText('No address yet')).toBeDefined()
    expect(calls).toEqual(['create', 'revoke'])
  })
})

describe('the guide', () => {
  it.each(SHOPS)('has pictures of where to paste it, and says so in words: %s', async (shop) => {
    open([], { search: `?shop=${shop}` })
    const guide = await region('Where to paste it')
    const steps = await within(guide).findAllByRole('listitem')
    const drawn = steps.map((step) => step.querySelector('svg text')?.textContent)
    expect([steps.length > 1, drawn.every(Boolean)]).toEqual([true, true])
    expect(within(guide).queryByText(/\*[A-Z]/)).toBeNull()
    expect(guide.textContent).toContain('/feeds/••••')
  })

  it('shows curl only for scripts, among other languages', async () => {
    open([], { search: '?shop=script' })
    await userEvent.selectOptions(await screen.findByLabelText('Read it with'), 'Python')
    expect(screen.getByText(/^import pandas/)).toBeDefined()
  })

  it('asks for a shop first', async () => {
    open([])
    expect(await screen.findByText('No shop chosen yet')).toBeDefined()
  })
})

describe('a supplier', () => {
  it('sees the shop of its retailer, and a message without the secret', async () => {
    openAsSupplier([readAddress], { search: '?shop=excel' })
    expect(await screen.findByRole('heading', { name: 'Connect Store 1' })).toBeDefined()
    expect(within(await state('The shop')).getByText(/^The shop has read 1,204 rows/)).toBeDefined()
    const message = await region('Send it to the retailer')
    expect(message.textContent).toContain('https://stock.example/retailer/shop?shop=excel')
    expect(message.textContent).not.toContain('/feeds/')
    const mail = within(message).getByRole('link', { name: 'Write an e-mail' })
    expect(mail.getAttribute('href')).toMatch(/^mailto:\?subject=Connect%20your%20shop/)
  })

  it('sends the address with it while that is known', async () => {
    openAsSupplier([])
    await clickButton('Create address')
    const message = await region('Send it to the retailer')
    await within(message).findByText(/whoever has it can read the file/)
    expect(message.textContent).toContain(URL)
  })

  it.each<[string, FeedAddress[], Answers, string]>([
    ['its newest file is held', [readAddress], held, 'Your newest file is held'],
    ['its first file is held', [], { ...held, ...missing }, 'Your first file is held'],
    ['nothing is published', [], missing, 'You have not published a file yet'],
  ])('is told that %s', async (_what, addresses, answers, text) => {
    openAsSupplier(addresses, {
      answers: { 'retailers.usage': () => [shopUsage], ...answers },
    })
    await waitFor(async () => expect((await state('The shop')).textContent).toContain(text))
    expect(screen.getByRole('link', { name: /^(?:Decide on it|Open Connections)$/ })).toBeDefined()
  })
})
