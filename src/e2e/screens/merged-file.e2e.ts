import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { inviteRetailer } from '../support/invite'
import type { Page } from '../support/page'
import { seeHeading, seePath } from '../support/screen'
import { PASSWORD, startStage, type Stage, type Supplier } from '../support/stage'

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
async function openRetailer(): Promise<Page> {
  const { page } = await stage.openWindow(await inviteRetailer(northbeck, 'Harbour Cycles'))
  await page.getByRole('textbox', { name: 'Username' }).fill('harbour')
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('textbox', { name: 'Email' }).fill('orders@harbour.example')
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await seePath(page, '/retailer')
  await page.goto(await inviteRetailer(summit, 'Harbour at Summit'))
  await page.getByRole('button', { name: 'Accept as harbour' }).click()
  await seePath(page, '/retailer')
  return page
}

describe('a retailer with two suppliers', () => {
  it('makes one file of both, changes how, and downloads it', async () => {
    const page = await openRetailer()
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

    await page.getByRole('button', { name: 'Create address' }).click()
    const address = page.getByText(/\/feeds\/[\w-]{43}\/inventory\.csv$/)
    await address.waitFor()
    const url = await address.evaluate((element: HTMLElement) => element.textContent ?? '')
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
