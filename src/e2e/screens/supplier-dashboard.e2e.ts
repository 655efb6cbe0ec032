import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { readNow, type Page } from '../support/page'
import { createRestClient } from '../support/rest-client'
import { seePath } from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/stock.csv', { body: 'sku,name\nA1,Boot\n' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** The non-empty lines of a card. */
async function readCard(page: Page, title: string): Promise<string[]> {
  const card = page.getByRole('region', { name: title, exact: true })
  await card.getByText(/^(?:\d|Active|Not Active)/).waitFor()
  return (await readNow(card.innerText())).split('\n').filter((line) => line.trim() !== '')
}

describe('the dashboard of a supplier', () => {
  it('guides a new supplier to a first connection and a first retailer', async () => {
    await stage.addSupplier('fresh', { companyName: 'Fresh & Co', maxRetailers: 3 })
    const { page } = await stage.openAs('fresh', '/supplier')
    await page.getByRole('heading', { name: 'Welcome, Fresh & Co', level: 1 }).waitFor()
    await page.getByText('Manage your retailer connections and data integrations').waitFor()
    await expect
      .poll(() => readCard(page, 'Total Retailers'))
      .toEqual(['Total Retailers', '0', 'of 3 maximum allowed retailers'])
    await expect
      .poll(() => readCard(page, 'Connection Status'))
      .toEqual(['Connection Status', 'Not Active', 'Data integration status'])
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByRole('link', { name: 'Add Connection' }).click()
    await page.getByRole('dialog', { name: 'Add Connection' }).waitFor()
    await seePath(page, '/supplier/connections')
    await page.keyboard.press('Escape')
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
    await steps.getByRole('link', { name: 'Add Retailer' }).click()
    await page.getByRole('dialog', { name: 'Add New Retailer' }).waitFor()
    await seePath(page, '/supplier/retailers')
  })

  it('marks steps as done, and hides them once a retailer has read the file', async () => {
    const supplier = await stage.addSupplier('halfway')
    await stage.addConnection(supplier, {
      name: 'Stock',
      url: stage.sourceServer.url('/stock.csv'),
    })
    const { page } = await stage.openAs('halfway', '/supplier')
    const steps = page.getByRole('region', { name: 'First steps' })
    const first = steps.getByRole('listitem').first()
    await first.getByText('Done', { exact: true }).waitFor()
    await expect.poll(() => steps.getByRole('link').allInnerTexts()).toEqual(['Add Retailer'])

    const retailer = await stage.addRetailer(supplier, 'halfway-shop')
    await page.reload()
    await expect.poll(() => readCard(page, 'Total Retailers')).toContain('1')
    await expect.poll(() => steps.getByRole('link').allInnerTexts()).toEqual(['See Retailers'])

    const shop = createRestClient(stage.product.url)
    await shop.signIn('halfway-shop', PASSWORD)
    const latest = await shop.send('GET', `/api/retailers/${retailer.id}/latest-file`)
    const { downloadUrl } = latest.body as { downloadUrl: string }
    expect((await shop.send('GET', downloadUrl)).status).toBe(200)
    const isHidden = async () => {
      await page.reload()
      await readCard(page, 'Total Retailers')
      return (await readNow(steps.count())) === 0
    }
    await expect.poll(isHidden, { interval: 1_000 }).toBe(true)
  })

  it('counts its retailers and shows whether a connection is active', async () => {
    const supplier = await stage.addSupplier('running', { maxRetailers: 2 })
    const url = stage.sourceServer.url('/stock.csv')
    const { id } = await stage.addConnection(supplier, { name: 'Stock', url })
    await stage.addRetailer(supplier, 'running-one')
    await stage.addRetailer(supplier, 'running-two')
    const { page } = await stage.openAs('running', '/supplier')
    await expect
      .poll(() => readCard(page, 'Total Retailers'))
      .toEqual(['Total Retailers', '2', 'of 2 maximum allowed retailers'])
    await expect.poll(async () => (await readCard(page, 'Connection Status'))[1]).toBe('Active')
    const health = page.getByRole('region', { name: 'Health of Stock' })
    await health.getByText('Synced', { exact: true }).waitFor()

    await supplier.rest.send('PATCH', `/api/connections/${id}`, { isActive: false })
    await page.reload()
    await expect.poll(async () => (await readCard(page, 'Connection Status'))[1]).toBe('Not Active')
    await health.getByText('Paused', { exact: true }).waitFor()
  })
})
