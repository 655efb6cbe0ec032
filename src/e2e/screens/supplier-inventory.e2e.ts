import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { holdCalls } from '../support/calls'
import { readNow, type Page } from '../support/page'
import { until } from '../support/rest-client'
import { columnsOf } from '../support/screen'
import { readConnection, startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const INVENTORY = '/supplier/inventory'
const makeRows = (count: number) =>
  Array.from({ length: count }, (_, index) => `SKU-${index + 1},"Thing, number ${index + 1}",7`)
const makeFile = (rowCount: number) => `sku,name,qty\n${makeRows(rowCount).join('\n')}\n`

const pickerButton = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Connections' }).getByRole('button', { name: `${name} URL` })
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rowNumbers = (page: Page, name: string) =>
  card(page, name).getByRole('rowheader').allInnerTexts()

/** Creates a supplier whose file of `rowCount` rows has been synced, and opens its preview. */
async function openSynced(username: string, rowCount: number) {
  const path = `/${username}.csv`
  stage.sourceServer.set(path, { body: makeFile(rowCount) })
  const supplier = await stage.addSupplier(username)
  const name = `${username} feed`
  const connection = await stage.addConnection(supplier, {
    name,
    url: stage.sourceServer.url(path),
  })
  const { page } = await stage.openAs(username, INVENTORY)
  return { supplier, name, path, connection, page }
}

describe('the inventory preview of a supplier', () => {
  it('says that there are no connections, and leads to the first one', async () => {
    await stage.addSupplier('bare')
    const { page } = await stage.openAs('bare', INVENTORY)
    await page.getByRole('heading', { name: 'Inventory Preview', level: 1 }).waitFor()
    await page.getByText('No connections found', { exact: true }).waitFor()
    await page.getByText('No Connection Selected', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Add Connection' }).click()
    await page.getByRole('dialog').getByLabel('Connection Name').waitFor()
  })

  it('keeps the SKU in view while other columns of all rows are scrolled', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `column-${at + 1}`)
    const cells = names.map((name) => `a value of ${name}`)
    const body = `sku,${names.join()}\nSKU-1,${cells.join()}\n`
    stage.sourceServer.set('/wide.csv', { body })
    const supplier = await stage.addSupplier('wide')
    await stage.addConnection(supplier, { name: 'Wide', url: stage.sourceServer.url('/wide.csv') })
    const { page } = await stage.openAs('wide', `${INVENTORY}?rows=all`)
    const [sku, other] = ['SKU-1', 'a value of column-1'].map((name) =>
      page.getByRole('cell', { name, exact: true }),
    )
    const leftOf = async (cell = sku) => (await readNow(cell!.boundingBox()))?.x
    await sku!.waitFor()
    const [before, otherBefore] = [await leftOf(), await leftOf(other)]
    await sku!.evaluate((cell) => cell.closest('section')?.scrollTo({ left: 800 }))
    await expect.poll(() => leftOf(other)).toBe(otherBefore! - 800)
    expect(await leftOf()).toBe(before)
  })

  it('shows a skeleton and then the first ten rows of the only connection', async () => {
    const { supplier, name, page, connection } = await openSynced('plenty', 1_234)
    await pickerButton(page, name).waitFor()
    const release = await holdCalls(page, 'connections.inventory')
    await page.reload()
    const skeleton = card(page, name).getByRole('status', { name: 'Loading the file' })
    await skeleton.waitFor()
    await expect.poll(() => page.getByText('No Connection Selected').count()).toBe(0)
    release()
    await card(page, name).getByText('Showing 10 of 1,234 rows', { exact: true }).waitFor()
    await expect.poll(() => skeleton.count()).toBe(0)
    await expect.poll(() => columnsOf(card(page, name))).toEqual(['#', 'sku', 'name', 'qty'])
    await expect
      .poll(() => rowNumbers(page, name))
      .toEqual(Array.from({ length: 10 }, (_, index) => String(index + 1)))
    await card(page, name).getByRole('cell', { name: 'Thing, number 10', exact: true }).waitFor()
    await expect.poll(() => pickerButton(page, name).getAttribute('aria-pressed')).toBe('true')

    const { files } = (await supplier.rest.send('GET', `/api/connections/${connection.id}/files`))
      .body as { files: { fileName: string }[] }
    const fileName = files[0]?.fileName ?? ''
    expect(fileName).toMatch(/^connection_\d+_/)
    const cardText = () => card(page, name).innerText()
    await expect.poll(cardText).toContain(fileName.replace(/^connection_\d+_/, ''))
    await expect.poll(cardText).not.toContain(fileName)
  })

  it('summarizes the connection in the header of the card', async () => {
    const { supplier, name, page } = await openSynced('summed', 3)
    await pickerButton(page, name).click()
    await card(page, name)
      .getByText(
        /^URL connection synchronized · Every 4 hours · Last updated (?:just now|1 minute ago)$/,
      )
      .waitFor()
    const { lastSync } = await readConnection(supplier)
    await expect
      .poll(() => card(page, name).locator('time').first().getAttribute('datetime'))
      .toBe(lastSync)
  })

  it('shows no row count when all rows are shown', async () => {
    const { name, page } = await openSynced('ten', 10)
    await pickerButton(page, name).click()
    await card(page, name).getByRole('cell', { name: 'SKU-10', exact: true }).waitFor()
    await expect.poll(() => rowNumbers(page, name)).toHaveLength(10)
    await expect.poll(() => page.getByText(/Showing/).count()).toBe(0)
  })

  it('keeps the selection in the URL, and downloads the published file', async () => {
    const { name, path, connection, page } = await openSynced('linked', 11)
    await pickerButton(page, name).click()
    await card(page, name).getByText('Showing 10 of 11 rows').waitFor()
    await page.waitForURL((url) => url.searchParams.get('connection') === String(connection.id))
    await page.reload()
    await card(page, name).getByText('Showing 10 of 11 rows').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card(page, name).getByText('Download', { exact: true }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8'), path).toBe(makeFile(11))
  })

  it('says that there is no data and why when the source cannot be read', async () => {
    const supplier = await stage.addSupplier('unread')
    const url = stage.sourceServer.url('/unread.csv')
    await stage.addConnection(supplier, { name: 'Unread feed', url })
    const { page } = await stage.openAs('unread', INVENTORY)
    await pickerButton(page, 'Unread feed').click()
    const panel = card(page, 'Unread feed')
    await panel.getByText('No Data Available', { exact: true }).waitFor()
    await panel
      .getByText('There is no data available for this connection or the file could not be loaded.')
      .waitFor()
    await panel.getByText('The server answered 404 Not Found.').waitFor()
    await expect.poll(() => panel.getByRole('table').count()).toBe(0)
  })

  it('keeps the last good file while the source fails, and shows the next one after Refresh', async () => {
    const { supplier, name, path, connection, page } = await openSynced('moody', 12)
    await pickerButton(page, name).click()
    await card(page, name).getByText('Showing 10 of 12 rows').waitFor()
    const syncUntil = async (status: string) => {
      await supplier.rest.send('POST', `/api/connections/${connection.id}/sync`)
      await until(
        () => readConnection(supplier),
        (current) => current.status === status,
      )
    }
    stage.sourceServer.set(path, { status: 500, body: '' })
    await syncUntil('failed')
    await Promise.all([
      page.waitForResponse(/connections\.inventory/),
      page.getByRole('button', { name: 'Refresh' }).click(),
    ])
    await card(page, name).getByText('Showing 10 of 12 rows').waitFor()

    stage.sourceServer.set(path, { body: makeFile(13) })
    await syncUntil('synced')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await card(page, name).getByText('Showing 10 of 13 rows').waitFor()
  })
})
