import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { LatestFile } from '../../shared/schemas/file'
import { failWithoutMessage, holdCalls, routeCalls, whileOffline } from '../support/calls'
import { readNow, type Page } from '../support/page'
import { createRestClient, until } from '../support/rest-client'
import { CSV, HEAD, ROWS, startRetailerStage } from '../support/retailer-stage'
import { columnsOf, seeError, seeHeading, seePath, seeToast } from '../support/screen'
import { PASSWORD, type Stage, type Supplier } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

const PREVIEW = '/retailer/inventory'

let stage: Stage
let northbeck: Supplier

beforeAll(async () => {
  ;({ stage, northbeck } = await startRetailerStage())
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const preview = (page: Page) => page.getByRole('region', { name: 'Inventory Preview' })
const loading = (page: Page) => page.getByRole('status', { name: 'Loading the file' })

/** The first cell of each row below the header. */
async function skusShown(page: Page): Promise<string[]> {
  const rows = await readNow(preview(page).getByRole('table').getByRole('row').all())
  const cells = rows.slice(1).map((row) => readNow(row.getByRole('cell').first().innerText()))
  return Promise.all(cells)
}

describe('Inventory Preview', () => {
  it('shows the data source', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    const card = page.getByRole('region', { name: 'Data Source' })
    await card.waitFor()
    const [terms, values] = [card.getByRole('term'), card.getByRole('definition')]
    await expect
      .poll(() => terms.allInnerTexts())
      .toEqual(['Connection Type', 'File Format', 'Sync Frequency', 'Store Name'])
    await expect
      .poll(() => values.allInnerTexts())
      .toEqual(['URL', 'CSV', 'Daily', 'Summit Sports'])
  })

  it('shows the header, ten rows and the number of rows', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    await page.getByText('Showing 10 of 12 rows', { exact: true }).waitFor()
    await expect.poll(() => columnsOf(preview(page))).toEqual(['#', 'sku', 'name', 'category'])
    await expect
      .poll(() => skusShown(page))
      .toEqual(ROWS.slice(0, 10).map((row) => row.split(',')[0]))
    await page.getByRole('cell', { name: 'Hat, wool', exact: true }).waitFor()
  })

  it('downloads the full file', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download Full File' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^Northbeck-Outdoor-\d{4}-\d\d-\d\d\.csv$/)
    expect(await readFile(await download.path(), 'utf8')).toBe(CSV)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    const history = page.getByRole('table', { name: 'Download history' })
    await history.getByRole('row', { name: / 12 .* Chrome$/ }).waitFor()
  })

  it('browses and searches all rows in place of the first ones, and Back closes them', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    const allRows = page.getByRole('region', { name: 'All rows' })
    await page.getByRole('button', { name: 'Browse all rows' }).click()
    await allRows.getByText('Rows 1–12 of 12', { exact: true }).waitFor()
    await expect.poll(() => preview(page).getByRole('table').count()).toBe(1)
    await allRows.getByLabel('Search rows').fill('HAT, W')
    await allRows.getByText('Matches 1 of 1', { exact: true }).waitFor()
    await allRows.getByRole('rowheader', { name: '10', exact: true }).waitFor()
    const hat = allRows.getByRole('cell', { name: 'Hat, wool', exact: true })
    await expect.poll(() => hat.locator('mark').allInnerTexts()).toEqual(['Hat, w'])
    await page.reload()
    await allRows.getByText('Matches 1 of 1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('checkbox', { name: 'category' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => columnsOf(allRows)).toEqual(['#', 'sku', 'name'])
    await page.reload()
    await expect.poll(() => columnsOf(allRows)).toEqual(['#', 'sku', 'name'])
    await page.goBack()
    await expect.poll(() => allRows.count()).toBe(0)
    await page.getByText('Showing 10 of 12 rows', { exact: true }).waitFor()
  })

  it('shows and downloads only the rows that a restricted retailer may see', async () => {
    const { id } = await stage.addRetailer(northbeck, 'hatter')
    const visibilitySettings = { allProducts: false, categories: ['Hats'] }
    await northbeck.rest.send('PATCH', `/api/retailers/${id}`, { visibilitySettings })
    const hatter = createRestClient(stage.product.url)
    await hatter.signIn('hatter', PASSWORD)
    await until<LatestFile>(
      async () => (await hatter.send('GET', `/api/retailers/${id}/latest-file`)).body,
      (file) => 'fileName' in file,
    )
    const { page } = await stage.openAs('hatter', PREVIEW)
    await page.getByText('Showing 2 of 2 rows', { exact: true }).waitFor()
    await expect.poll(() => skusShown(page)).toEqual(['H1', 'H2'])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download Full File' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toBe(`${HEAD}H1,"Hat, wool",Hats\nH2,Cap,Hats\n`)
    await expect.poll(() => page.locator('body').innerText()).not.toMatch(/Boot|Tent/)
  })

  it('shows a skeleton while loading, and Refresh shows a newly published file', async () => {
    const fast = await stage.addSupplier('fast')
    stage.sourceServer.set('/fast.csv', { body: `${HEAD}F1,First,Boots\n` })
    const url = stage.sourceServer.url('/fast.csv')
    const connection = await stage.addConnection(fast, { name: 'Fast', url })
    const { id } = await stage.addRetailer(fast, 'eager')
    await fast.rest.send('PATCH', `/api/retailers/${id}`, { syncFrequency: 0 })
    const { page } = await stage.openAs('eager', 'about:blank')
    const release = await holdCalls(page, 'retailers.inventory')
    await page.goto(PREVIEW)
    await loading(page).waitFor()
    release()
    await page.getByText('Showing 1 of 1 rows', { exact: true }).waitFor()

    stage.sourceServer.set('/fast.csv', { body: `${HEAD}F1,First,Boots\nF2,Second,Boots\n` })
    await fast.rest.send('POST', `/api/connections/${connection.id}/sync`)
    await until<{ files: unknown[] }>(
      async () => (await fast.rest.send('GET', `/api/connections/${connection.id}/files`)).body,
      ({ files }) => files.length === 2,
    )
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('Showing 2 of 2 rows', { exact: true }).waitFor()
    await expect.poll(() => skusShown(page)).toEqual(['F1', 'F2'])
  })

  it('says when there is no file yet', async () => {
    const bare = await stage.addSupplier('bare')
    await stage.addRetailer(bare, 'patient')
    const { page } = await stage.openAs('patient', PREVIEW)
    await preview(page).getByText('No file is available yet').waitFor()
    await expect.poll(() => page.getByText('Download Full File').count()).toBe(0)
    await expect.poll(() => page.getByText(/^Showing/).count()).toBe(0)
  })

  it('shows an error when the rows cannot be loaded, and retries', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    await page.getByText('Showing 10 of 12 rows').waitFor()
    // An answer of the server: without any, the rows are fetched again by themselves as soon as it can be reached.
    await failWithoutMessage(page, 'retailers.inventory')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await seeToast(page, 'alert', 'Error loading CSV data', 'Failed to load CSV data')
    await preview(page).getByText('Could not load inventory data preview').waitFor()
    await page.unrouteAll()
    await preview(page).getByRole('button', { name: 'Try Again' }).click()
    await page.getByText('Showing 10 of 12 rows').waitFor()
    await expect.poll(() => page.getByText('Could not load inventory data preview').count()).toBe(0)
  })

  it('shows an error when the file is not found', async () => {
    const { page } = await stage.openAs('summit', 'about:blank')
    await routeCalls(page, 'retailers.inventory', (route) => {
      const data = { code: 'NOT_FOUND', httpStatus: 404 }
      return route.fulfill({
        json: [{ error: { message: 'File not found', code: -32_004, data } }],
      })
    })
    await page.goto(PREVIEW)
    await seeError(page, 'Failed to fetch latest file information')
    await preview(page).getByText('File not found').waitFor()
    await preview(page).getByRole('button', { name: 'Try Again' }).waitFor()
  })

  it('shows an error instead of saving a file that cannot be downloaded', async () => {
    const window = await stage.openAs('summit', PREVIEW)
    const { page } = window
    const download = page.getByRole('link', { name: 'Download Full File' })
    await download.waitFor()
    // What the page has brought is read once more.
    await waitUntilIdle(page)
    const downloads: unknown[] = []
    page.on('download', (started) => downloads.push(started))
    await whileOffline(window, async () => {
      await download.click()
      await seeError(page, 'Failed to download CSV file')
    })
    expect(downloads).toEqual([])
    await seePath(page, PREVIEW)
  })

  it('redirects to /auth when the session has ended before a download', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    const download = page.getByRole('link', { name: 'Download Full File' })
    await download.waitFor()
    await waitUntilIdle(page)
    await page.context().clearCookies()
    await download.click()
    await seePath(page, '/auth')
    await seeHeading(page, 'Login')
  })
})
