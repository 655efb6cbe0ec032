import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Connection } from '../../shared/schemas/connection'
import { holdFile } from '../support/held-file'
import { inviteRetailer } from '../support/invite'
import { call } from '../support/mail-address'
import type { Page } from '../support/page'
import { until } from '../support/rest-client'
import { seeHeading, seePath } from '../support/screen'
import {
  listRetailers,
  PASSWORD,
  readConnection,
  startStage,
  type Stage,
  type Supplier,
} from '../support/stage'

const EAN = '4006381333931'

let stage: Stage
let northbeck: Supplier
let summit: Supplier

beforeAll(async () => {
  stage = await startStage()
  northbeck = await addSupplier('northbeck', 'Northbeck', `sku,ean,quantity\r\nN-1,${EAN},4\r\n`)
  summit = await addSupplier('summit', 'Summit', `sku,ean,quantity\r\nS-1,${EAN},7\r\nS-2,,3\r\n`)
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

async function addSupplier(username: string, companyName: string, csv: string) {
  const path = `/${username}.csv`
  stage.sourceServer.set(path, { body: csv })
  const supplier = await stage.addSupplier(username, { companyName })
  await stage.addConnection(supplier, { name: 'Main feed', url: stage.sourceServer.url(path) })
  return supplier
}

async function download(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name, exact: true }).click(),
  ])
  return readFile(await file.path(), 'utf8')
}

/** A retailer with a login that has accepted both suppliers. */
async function openRetailer(username: string): Promise<Page> {
  const { page } = await stage.openWindow(
    await inviteRetailer(northbeck, `${username} at Northbeck`),
  )
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('textbox', { name: 'Email' }).fill(`orders@${username}.example`)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await seePath(page, '/retailer')
  await page.goto(await inviteRetailer(summit, `${username} at Summit`))
  await page.getByRole('button', { name: `Accept as ${username}` }).click()
  await seePath(page, '/retailer')
  return page
}

async function createAddress(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create address' }).click()
  const address = page.getByText(/\/feeds\/[\w-]{43}\/inventory\.csv$/)
  await address.waitFor()
  return address.evaluate((element: HTMLElement) => element.textContent ?? '')
}

describe('a retailer with two suppliers', () => {
  it('makes one file of both, changes how, and downloads it', async () => {
    const page = await openRetailer('harbour')
    await page.getByRole('link', { name: 'Merged file' }).click()
    await seeHeading(page, 'Merged file')
    await page.getByRole('button', { name: 'Make the merged file' }).click()
    const made = await download(page, 'Download')
    expect(made).toContain(`0${EAN},${EAN},4,Northbeck,N-1`)
    expect(made).toContain('SUMM-S-2,,3,Summit,S-2')

    await page.getByRole('combobox', { name: 'Of an item that several have' }).click()
    await page.getByRole('option', { name: 'The sum of all' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Merged file saved').first().waitFor()
    await expect.poll(() => download(page, 'Download')).toContain(`0${EAN},${EAN},11,`)
    // A form that nobody has asked for is waited for.
    expect(await download(page, 'Download as Excel')).toMatch(/^PK/)

    const url = await createAddress(page)
    const read = await page.context().request.get(url)
    expect(await read.text()).toContain(`0${EAN},${EAN},11,`)

    const unmatched = await download(page, 'Unmatched items')
    const row = 'SUMM-,Summit,S-2,,,,'
    expect(unmatched).toContain(row)
    const csv = unmatched.replace(row, `${row}mine`)
    await page.locator('input[type=file]').setInputFiles({
      name: 'mine.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    })
    await page.getByText('A matching file with 1 usable row is in use.').waitFor()
    await expect.poll(() => download(page, 'Download')).toContain('mine,,3,Summit,S-2')
  })
})

const DAYS = 24 * 60 * 60 * 1_000
const ROWS = Array.from({ length: 30 }, (_, row) => `S-${row},,${row}\r\n`).join('')

/** A supplier that shows itself in the directory, and takes newcomers into a group. */
async function addWithCard(username: string, name: string, csv: string): Promise<Supplier> {
  const supplier = await addSupplier(username, name, csv)
  await call(supplier.rest, 'groups.create', { name: 'Trade', syncFrequency: 0 })
  const card = { isPublished: true, name, description: 'Apples, all year', categories: [] }
  await call(supplier.rest, 'cards.save', card)
  return supplier
}

/** Asks a supplier by its card, and is accepted into its group. */
async function joinByCard(page: Page, username: string, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Find suppliers' }).click()
  await page.getByRole('searchbox', { name: 'Search suppliers' }).fill('apples')
  await page.getByRole('button', { name: `Request access to ${name}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Store Name' }).fill('Canal Boats')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await page.getByText('Request pending').waitFor()
  const { page: supplierPage } = await stage.openAs(username, '/supplier/retailers')
  await supplierPage.getByRole('combobox', { name: 'Group of Canal Boats' }).click()
  await supplierPage.getByRole('option', { name: /^Trade/ }).click()
  await supplierPage.getByRole('button', { name: 'Accept Canal Boats' }).click()
  await supplierPage.getByText('Canal Boats is your retailer now').first().waitFor()
  // The open window is told.
  await page.getByText('Your supplier').last().waitFor()
}

/** Lets the minute pass in which a merged file that was made stays as it is. */
const passMinute = () =>
  stage.write((trx) =>
    trx
      .updateTable('mergedFiles')
      .set(({ eb }) => ({ madeAt: eb('madeAt', '-', 60_000), checkAt: 1 }))
      .execute(),
  )

/** Makes what a supplier has published, and its syncs, three days old. */
const age = (supplier: Supplier) =>
  stage.write(async (trx) => {
    const { publishedVersionId, id } = await trx
      .selectFrom('connections')
      .selectAll()
      .where('supplierId', '=', supplier.id)
      .executeTakeFirstOrThrow()
    const version = trx.updateTable('versions').where('id', '=', publishedVersionId)
    await version.set(({ eb }) => ({ publishedAt: eb('publishedAt', '-', 3 * DAYS) })).execute()
    const connection = trx.updateTable('connections').where('id', '=', id)
    await connection.set(({ eb }) => ({ lastSyncAt: eb('lastSyncAt', '-', 3 * DAYS) })).execute()
    const runs = trx.updateTable('syncRuns').where('connectionId', '=', id)
    await runs.set(({ eb }) => ({ finishedAt: eb('finishedAt', '-', 3 * DAYS) })).execute()
  })

async function publish(supplier: Supplier, username: string, csv: string): Promise<void> {
  stage.sourceServer.set(`/${username}.csv`, { body: csv })
  const { id, lastAttemptAt: before } = await readConnection(supplier)
  await supplier.rest.send('POST', `/api/connections/${id}/sync`)
  const isDone = ({ lastAttemptAt, status }: Connection) =>
    lastAttemptAt !== before && status !== 'running' && status !== 'queued'
  await until(() => readConnection(supplier, id), isDone)
}

describe('a retailer with three suppliers', () => {
  it('keeps selling right in the broken week of one of them', async () => {
    await publish(summit, 'summit', `sku,ean,quantity\r\n${ROWS}S-sea,${EAN},7\r\n`)
    const orchard = await addWithCard('orchard', 'Orchard', 'sku,ean,quantity\r\nO-1,,9\r\n')
    const page = await openRetailer('canal')
    await joinByCard(page, 'orchard', 'Orchard')
    for (const supplier of [northbeck, summit]) {
      const retailer = (await listRetailers(supplier)).find(({ storeName }) =>
        storeName?.startsWith('canal'),
      )
      const path = `/api/retailers/${retailer?.id}`
      await supplier.rest.send('PATCH', path, { syncFrequency: 0 })
    }
    await page.goto('/retailer/merged-file')
    await page.getByRole('button', { name: 'Make the merged file' }).click()
    const url = await createAddress(page)
    const read = () => page.context().request.get(url)
    const content = async () => (await read()).text()
    /** As often as an address may be read. */
    const see = async (row: string) => {
      await expect.poll(content, { interval: 1_500 }).toContain(row)
    }
    await see('ORCH-O-1,,9,Orchard,O-1')
    expect(await content()).toContain(`0${EAN},${EAN},4,Northbeck,N-1`)
    expect(await content()).toContain('SUMM-S-29,,29,Summit,S-29')

    // Summit sends a file that cannot be right, and then none at all; the others go on.
    await age(summit)
    const id = (await readConnection(summit)).id
    const body = 'sku,ean,quantity\r\nS-1,,999\r\n'
    await holdFile(stage, summit, { id, path: '/summit.csv', body })
    stage.sourceServer.set('/summit.csv', { status: 500, body: 'down' })
    await summit.rest.send('POST', `/api/connections/${id}/sync`)
    await publish(northbeck, 'northbeck', `sku,ean,quantity\r\nN-1,${EAN},2\r\nN-9,,1\r\n`)
    await publish(orchard, 'orchard', 'sku,ean,quantity\r\nO-1,,8\r\n')
    await passMinute()
    await see('ORCH-O-1,,8,Orchard,O-1')
    const broken = await read()
    expect(await broken.text()).toContain(`0${EAN},${EAN},2,Northbeck,N-1`)
    expect(await broken.text()).toContain('NORT-N-9,,1,Northbeck,N-9')
    expect(await broken.text()).toContain('SUMM-S-29,,29,Summit,S-29')
    expect(await broken.text()).not.toContain('999')
    const oldest = Date.now() - Date.parse(broken.headers()['x-data-as-of'] ?? '')
    expect(Math.round(oldest / DAYS)).toBe(3)
    await page.reload()
    const parts = page.getByRole('table', { name: 'Parts of the merged file' })
    const partOf = (name: string) => parts.getByRole('row').filter({ hasText: name })
    await partOf('Summit')
      .getByText(/Overdue|Late/)
      .waitFor()
    await partOf('Summit').getByText('3 days ago').waitFor()
    await partOf('Orchard').getByText('Current').waitFor()
    expect(await download(page, 'Download')).toBe(await content())

    // It mends its file.
    await publish(summit, 'summit', `sku,ean,quantity\r\n${ROWS}S-new,,6\r\n`)
    await passMinute()
    await see('SUMM-S-new,,6,Summit,S-new')
    expect(await content()).toContain('ORCH-O-1,,8,Orchard,O-1')
  })
})
