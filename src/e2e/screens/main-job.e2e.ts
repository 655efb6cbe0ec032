import { readFile } from 'node:fs/promises'

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { launchBrowser, openTab, type Tab } from '../support/browser'
import type { Page } from '../support/page'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { fillLogin, seePath } from '../support/screen'

const SAMPLE = 'data/samples/outdoor-catalogue.csv'

/** The fleet that this test runs through, or a product of its own: see tools/fleet. */
async function findProduct(
  dataDir: string,
  fetchAllow: string,
): Promise<Pick<Product, 'url' | 'stop'>> {
  const url = process.env.FLEET_URL
  if (url !== undefined) return { url, stop: async () => null }
  return startProduct(dataDir, { FETCH_ALLOW: fetchAllow })
}

/** Opens a page from the sidebar. */
const openMenu = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name }).click()

describe('the main job, from an empty database to a downloaded file', () => {
  let sourceServer: SourceServer
  let dataDir: string
  let product: Pick<Product, 'url' | 'stop'>
  let browser: Browser
  let supplier: Tab
  let retailer: Tab

  beforeAll(async () => {
    sourceServer = await startSourceServer()
    sourceServer.set('/inventory.csv', { body: await readFile(SAMPLE) })
    dataDir = await makeDataDir()
    product = await findProduct(dataDir, sourceServer.host)
    browser = await launchBrowser()
    supplier = await openTab(browser, product.url)
    retailer = await openTab(browser, product.url, { acceptDownloads: true })
  })
  afterAll(async () => {
    await browser.close()
    await product.stop()
    await sourceServer.close()
    await removeDataDir(dataDir)
  })

  it('a supplier registers and lands on its dashboard', async () => {
    const { page } = supplier
    await page.goto('/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Username').fill('northbeck')
    await page.getByLabel('Password', { exact: true }).fill('northbeck-password')
    await page.getByLabel('Company Name').fill('Northbeck Outdoor')
    await page.getByLabel('Contact Email').fill('stock@northbeck.example')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Welcome, Northbeck Outdoor' }).waitFor()
    await seePath(page, '/supplier')
  })

  it('the supplier enters the URL of its file, previews it and connects it', async () => {
    const { page } = supplier
    await openMenu(page, 'Connections')
    await page.getByRole('button', { name: 'Add Connection' }).first().click()
    const dialog = page.getByRole('dialog').filter({ hasText: 'Connection Name' })
    await dialog.getByLabel('Connection Name').fill('Outdoor catalogue')
    await dialog.getByRole('textbox', { name: 'URL' }).fill(sourceServer.url('/inventory.csv'))
    await dialog.getByRole('button', { name: /Preview/ }).click()
    const preview = page.getByRole('dialog', { name: /CSV Preview/ })
    await preview.getByText('Ridgeline Mid GTX Boot', { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Create Connection' }).click()
    await page.getByText('Connection created successfully').waitFor()
    await page.getByRole('cell', { name: 'Outdoor catalogue' }).first().waitFor()
    await page.getByText('Synced', { exact: true }).waitFor()
  })

  it('the supplier previews the published file', async () => {
    const { page } = supplier
    await openMenu(page, 'Inventory Preview')
    await page.getByRole('button', { name: /^Outdoor catalogue/ }).click()
    await page.getByText('Showing 10 of 192 rows').waitFor()
  })

  it('the supplier adds a retailer', async () => {
    const { page } = supplier
    await openMenu(page, 'Retailers')
    await page.getByRole('button', { name: 'Add Retailer' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add New Retailer' })
    await dialog.getByLabel('Username').fill('summit')
    await dialog.getByLabel('Password', { exact: true }).fill('summit-password')
    await dialog.getByLabel('Email').fill('buyer@summit.example')
    await dialog.getByLabel('Store Name').fill('Summit Sports')
    await dialog.getByRole('button', { name: 'Create Retailer' }).click()
    await page.getByText('Retailer added successfully').waitFor()
    await page.getByRole('link', { name: 'Summit Sports' }).waitFor()
  })

  it('a retailer signs in and sees where its data comes from', async () => {
    const { page } = retailer
    await page.goto('/retailer')
    await fillLogin(page, 'summit', 'summit-password')
    await page.getByText('Connected to Northbeck Outdoor').waitFor()
    await page.getByText('Summit Sports').first().waitFor()
  })

  it('the retailer previews the latest file and downloads it byte for byte', async () => {
    const { page } = retailer
    await openMenu(page, 'Inventory Preview')
    await page.getByText('Showing 10 of 192 rows').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText('Download Full File').click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
    expect(await readFile(await download.path())).toEqual(await readFile(SAMPLE))
  })

  it('neither browser console has an error or a warning', () => {
    expect([...supplier.complaints, ...retailer.complaints]).toEqual([])
  })
})
