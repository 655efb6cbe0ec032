import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../shared/durations'
import { holdFile } from '../support/held-file'
import { readNow, type Locator, type Page } from '../support/page'
import { createRestClient, until } from '../support/rest-client'
import { startStage, type Stage, type Supplier } from '../support/stage'

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

/** A supplier with a published file and a retailer, both by the name of their state. */
async function addPublished(
  name: string,
): Promise<Supplier & { connectionId: number; retailerId: number }> {
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
async function failSync(
  name: string,
  { rest, connectionId }: Awaited<ReturnType<typeof addPublished>>,
) {
  stage.sourceServer.set(`/${name}.csv`, { status: 503 })
  await rest.send('POST', `/api/connections/${connectionId}/sync`)
  await until(
    async () => (await rest.send('GET', '/api/connections')).text,
    (text) => text.includes('503'),
  )
}

async function holdNext(name: string, supplier: Awaited<ReturnType<typeof addPublished>>) {
  const body = 'sku,quantity\nA1,5\n'
  await holdFile(stage, supplier, { id: supplier.connectionId, path: `/${name}.csv`, body })
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
    await addPublished('fresh')
    await seeAtOnce('fresh', '/supplier', (page) => [
      status(page).getByText('Synced', { exact: true }),
      status(page).getByText('Data as of', { exact: false }),
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
    const made = await rest.send('POST', `/api/retailers/${retailerId}/feed-addresses`)
    const { path } = made.body as { path: string }
    const answer = await createRestClient(stage.product.url).send('GET', path)
    expect(answer.status).toBe(200)
    await seeAtOnce('read-shop', '/retailer', (page) => [
      shop(page).getByText('Connected', { exact: true }),
    ])
  })
})

describe('an administrator sees without scrolling', () => {
  it('who needs help, each with where to go', async () => {
    await failSync('broken', await addPublished('broken'))
    await seeAtOnce('admin', '/dashboard/super-admin', (page) => {
      const need = card(page, 'Needs you').getByRole('listitem').filter({ hasText: 'broken' })
      return [
        need.getByText('Failed', { exact: true }),
        need.getByRole('link', { name: 'Open Company broken' }),
      ]
    })
  })
})
