import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../shared/durations'
import { holdFile } from '../support/held-file'
import { readNow, type Locator, type Page } from '../support/page'
import { createRestClient, until, type RestClient } from '../support/rest-client'
import { PASSWORD, startStage, type Stage, type Supplier } from '../support/stage'

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
]
const CSV = `sku,quantity\n${Array.from({ length: 40 }, (_, at) => `A${at},5\n`).join('')}`

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

type Published = Supplier & { connectionId: number; retailerId: number }

/** A supplier with a published file and a retailer, both by the name of their state. */
async function addPublished(name: string): Promise<Published> {
  stage.sourceServer.set(`/${name}.csv`, { body: CSV })
  const supplier = await stage.addSupplier(name, { companyName: `Company ${name}` })
  const url = stage.sourceServer.url(`/${name}.csv`)
  const { id } = await stage.addConnection(supplier, { name: 'Stock', url })
  const retailer = await stage.addRetailer(supplier, `${name}-shop`)
  return { ...supplier, connectionId: id, retailerId: retailer.id }
}

const setSynced = (connectionId: number, lastSyncAt: number) =>
  stage.write(async (trx) => {
    // Not due, so that no sync makes it fresh again.
    const nextSyncAt = Date.now() + DAY_MS
    await trx
      .updateTable('connections')
      .set({ lastSyncAt, nextSyncAt })
      .where('id', '=', connectionId)
      .execute()
    await trx
      .updateTable('versions')
      .set({ publishedAt: lastSyncAt })
      .where('connectionId', '=', connectionId)
      .execute()
  })

/** Lets its sync fail. */
async function failSync(name: string, { rest, connectionId }: Published) {
  stage.sourceServer.set(`/${name}.csv`, { status: 503 })
  await rest.send('POST', `/api/connections/${connectionId}/sync`)
  await until(
    async () => (await rest.send('GET', '/api/connections')).text,
    (text) => text.includes('503'),
  )
}

async function holdNext(name: string, supplier: Published) {
  const body = 'sku,quantity\nA1,5\n'
  await holdFile(stage, supplier, { id: supplier.connectionId, path: `/${name}.csv`, body })
}

/** Publishes a file with one item more. */
async function publishNext(name: string, { rest, connectionId }: Published) {
  stage.sourceServer.set(`/${name}.csv`, { body: `${CSV}B1,5\n` })
  await rest.send('POST', `/api/connections/${connectionId}/sync`)
  await until(
    async () => (await rest.send('GET', `/api/connections/${connectionId}/files`)).text,
    (text) => text.includes('"rowCount":41'),
  )
}

/** Lets a shop read its file at a new address. */
async function readByShop(rest: RestClient, retailerId: number) {
  const made = await rest.send('POST', `/api/retailers/${retailerId}/feed-addresses`)
  const { path } = made.body as { path: string }
  const answer = await createRestClient(stage.product.url).send('GET', path)
  expect(answer.status).toBe(200)
}

/** Whether all of it is in the window, which has not been scrolled. */
async function expectInWindow(page: Page, locator: Locator): Promise<void> {
  await locator.waitFor()
  const height = page.viewportSize()?.height ?? 0
  await expect
    .poll(async () => {
      const box = await readNow(locator.boundingBox())
      return box !== null && box.y >= 0 && box.y + box.height <= height
    })
    .toBe(true)
}

/** Opens a page at both sizes, and looks for each of its answers without scrolling. */
async function seeAtOnce(username: string, path: string, answers: (page: Page) => Locator[]) {
  for (const size of SIZES) {
    const { page } = await stage.openAs(username, 'about:blank')
    await page.setViewportSize(size)
    await page.goto(path)
    for (const answer of answers(page)) await expectInWindow(page, answer)
  }
}

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

describe('a supplier sees without scrolling', () => {
  const status = (page: Page) => card(page, 'Connection Status')

  it('that its feed is fresh, and who reads it', async () => {
    const { retailerId, rest } = await addPublished('fresh')
    await readByShop(rest, retailerId)
    await seeAtOnce('fresh', '/supplier', (page) => [
      status(page).getByText('Synced', { exact: true }),
      status(page).getByText('Data as of', { exact: false }),
      card(page, 'Readers').getByText('1', { exact: true }),
      card(page, 'Readers').getByRole('link', { name: 'have read their file in the last day' }),
    ])
  })

  it('what its last file has changed, and where to compare it', async () => {
    const supplier = await addPublished('changed')
    await publishNext('changed', supplier)
    await seeAtOnce('changed', '/supplier', (page) => [
      card(page, 'Last change').getByText('+1', { exact: false }),
      card(page, 'Last change').getByRole('link'),
    ])
  })

  it('that its feed is late, and since when', async () => {
    const { connectionId } = await addPublished('late')
    await setSynced(connectionId, Date.now() - 30 * HOUR_MS)
    await seeAtOnce('late', '/supplier', (page) => [
      status(page).getByText(/^(?:Late|Overdue)$/),
      status(page).getByText('30 hours ago'),
      status(page).getByRole('link', { name: 'See why' }),
    ])
  })

  it('that a file is held, and where to compare it', async () => {
    await holdNext('held', await addPublished('held'))
    await seeAtOnce('held', '/supplier', (page) => [
      status(page).getByText('Held', { exact: true }),
      status(page).getByRole('link', { name: 'Compare the held file' }),
    ])
  })

  it('that its feed fails, and where to look', async () => {
    await failSync('failing', await addPublished('failing'))
    await seeAtOnce('failing', '/supplier', (page) => [
      status(page).getByText('Failed', { exact: true }),
      status(page).getByRole('link', { name: 'See why' }),
    ])
  })

  it('that nobody reads its file yet, with a list of them', async () => {
    await addPublished('unread')
    await seeAtOnce('unread', '/supplier', (page) => [
      card(page, 'Readers').getByRole('link', { name: '1 never read' }),
    ])
  })
})

describe('a retailer sees without scrolling', () => {
  const stock = (page: Page) => card(page, 'Your stock')
  const shop = (page: Page) => card(page, 'Your shop')

  it('that its stock is fresh, and that no shop is connected yet, with the way to do it', async () => {
    await addPublished('new')
    await seeAtOnce('new-shop', '/retailer', (page) => [
      stock(page).getByText('Fresh', { exact: true }),
      shop(page).getByText('Not connected', { exact: true }),
      shop(page).getByRole('link', { name: 'Connect your shop' }),
    ])
  })

  it('that its stock is late', async () => {
    const { connectionId } = await addPublished('slow')
    await setSynced(connectionId, Date.now() - 30 * HOUR_MS)
    await seeAtOnce('slow-shop', '/retailer', (page) => [
      stock(page).getByText(/^(?:Late|Overdue)$/),
      stock(page).getByText('30 hours ago'),
      stock(page).getByRole('link', { name: 'What to do' }),
    ])
  })

  it('what its last file has changed', async () => {
    const supplier = await addPublished('moved')
    const client = createRestClient(stage.product.url)
    await client.signIn('moved-shop', PASSWORD)
    const latest = () => client.send('GET', `/api/retailers/${supplier.retailerId}/latest-file`)
    await latest()
    await publishNext('moved', supplier)
    await stage.write((trx) =>
      trx
        .updateTable('retailers')
        .set({ currentSince: Date.now() - 2 * DAY_MS })
        .where('id', '=', supplier.retailerId)
        .execute(),
    )
    await latest()
    await seeAtOnce('moved-shop', '/retailer', (page) => [
      card(page, 'Last change').getByText('+1 rows', { exact: true }),
    ])
  })

  it('that there is no file yet', async () => {
    const supplier = await stage.addSupplier('empty')
    await stage.addRetailer(supplier, 'empty-shop')
    await seeAtOnce('empty-shop', '/retailer', (page) => [
      stock(page).getByText('No file yet', { exact: true }),
    ])
  })

  it('that its shop has read', async () => {
    const { rest, retailerId } = await addPublished('read')
    await readByShop(rest, retailerId)
    await seeAtOnce('read-shop', '/retailer', (page) => [
      shop(page).getByText('Connected', { exact: true }),
    ])
  })
})

/** Goes on with a product in which nothing of before needs anybody. */
async function startAnew(environment: Record<string, string> = {}) {
  await stage.close()
  stage = await startStage(environment)
}

const needs = (page: Page, text: string) =>
  card(page, 'Needs you').getByRole('listitem').filter({ hasText: text })

describe('an administrator sees without scrolling', () => {
  beforeAll(() => startAnew())

  const ADMIN = '/dashboard/super-admin'
  const seeNeed = (name: string, word: string, action: string) =>
    seeAtOnce('admin', ADMIN, (page) => [
      needs(page, `Company ${name}`).getByText(word, { exact: true }),
      needs(page, `Company ${name}`).getByRole('link', { name: `${action}: Company ${name}` }),
    ])

  it('that there is no backup, and where to make one', async () => {
    await seeAtOnce('admin', ADMIN, (page) => [
      needs(page, 'There is no verified backup yet').getByRole('link', { name: 'Back up now' }),
    ])
  })

  it('that nothing needs anybody', async () => {
    await stage.admin.send('POST', '/trpc/cronJobs.runNow', { name: 'backup' })
    await until(
      async () => (await stage.admin.send('GET', '/trpc/operations.storage')).text,
      (text) => text.includes('"isOverdue":false'),
    )
    await addPublished('well')
    await seeAtOnce('admin', ADMIN, (page) => [
      card(page, 'Needs you').getByText('Nothing: each connection has published', { exact: false }),
    ])
  })

  it('whose feed is late', async () => {
    const { connectionId } = await addPublished('behind')
    await setSynced(connectionId, Date.now() - 30 * HOUR_MS)
    await seeNeed('behind', 'Late', 'See its last syncs')
  })

  it('whose file is held', async () => {
    await holdNext('waiting', await addPublished('waiting'))
    await seeNeed('waiting', 'Held', 'See what is held')
  })

  it('whose feed fails', async () => {
    await failSync('broken', await addPublished('broken'))
    await seeNeed('broken', 'Failed', 'See why it fails')
  })
})

describe('an administrator of a full disk', () => {
  beforeAll(() => startAnew({ MIN_FREE_BYTES: String(2 ** 50) }))

  it('sees that syncs wait for room, and which', async () => {
    await seeAtOnce('admin', '/dashboard/super-admin', (page) => [
      needs(page, 'syncs wait until there are').getByText('Disk', { exact: true }),
      needs(page, 'syncs wait until there are').getByRole('link', { name: 'See what waits' }),
    ])
  })
})
