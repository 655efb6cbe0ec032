import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { readNow, type Page } from '../support/page'
import { readAsShop } from '../support/read-as-shop'
import { startStage, type Stage } from '../support/stage'

const CSV = 'sku,name,stock,cost\n1,Boot,4,9.99\n2,Cap,high,1.99\n'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/inventory.csv', { body: CSV })
  const northbeck = await stage.addSupplier('northbeck')
  await stage.addRetailer(northbeck, 'summit')
  await stage.addConnection(northbeck, {
    name: 'Main feed',
    url: stage.sourceServer.url('/inventory.csv'),
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const format = (page: Page) => region(page, 'Shop format')
const save = async (page: Page) => {
  await format(page).getByRole('button', { name: 'Use this format' }).click()
  await format(page).getByText('The file has this format').waitFor()
}
const options = (page: Page) => page.getByRole('listbox').getByRole('option')
async function chooseFormat(page: Page, name: string) {
  await format(page).getByRole('combobox', { name: 'Format', exact: true }).click()
  await options(page).filter({ hasText: name }).first().click()
}

describe('the form of a shop’s file', () => {
  it('is chosen by the retailer among the columns that the supplier shows', async () => {
    const { page: supplier } = await stage.openAs('northbeck', '/supplier/connections')
    await region(supplier, 'Columns').getByRole('button', { name: 'Change columns' }).click()
    await dialog(supplier).getByRole('switch', { name: 'cost' }).click()
    await dialog(supplier).getByRole('textbox', { name: 'Quantity for high' }).fill('25')
    await dialog(supplier).getByRole('button', { name: 'Save' }).click()
    await dialog(supplier).waitFor({ state: 'detached' })
    // Once as the cost, and once as hidden.
    await region(supplier, 'Columns').getByText('cost', { exact: true }).nth(1).waitFor()

    const { page } = await stage.openAs('summit', '/retailer/shop')
    await page.getByRole('button', { name: 'Create address' }).click()
    const code = region(page, 'Feed address').getByRole('status').locator('code')
    await code.waitFor()
    // Read once: a new address is shown until the page is left.
    const address = await readNow(code.innerText())
    const read = async (query = '') => (await readAsShop(address + query)).text()
    await expect.poll(() => read()).toBe('sku,name,stock\r\n1,Boot,4\r\n2,Cap,high\r\n')

    await chooseFormat(page, 'WooCommerce')
    await format(page).getByText('Prefix, buffer and limits').click()
    await format(page).getByRole('textbox', { name: 'Buffer' }).fill('5')
    const preview = format(page).getByRole('table', { name: 'First rows' })
    await preview.getByRole('cell', { name: '20', exact: true }).waitFor()
    await save(page)
    await expect.poll(() => read()).toBe('SKU,Stock,In stock?\n1,0,0\n2,20,1\n')
    await expect
      .poll(() => read('?format=json'))
      .toBe('{"SKU":"1","Stock":0,"In stock?":"0"}\n{"SKU":"2","Stock":20,"In stock?":"1"}\n')
  })

  it('has the columns, names and order that the retailer gives it', async () => {
    const { page } = await stage.openAs('summit', '/retailer/shop')
    await chooseFormat(page, 'Own columns')
    for (const column of ['name', 'sku']) {
      await format(page).getByRole('combobox', { name: 'Add a column' }).click()
      await expect.poll(() => options(page).allInnerTexts()).not.toContain('cost')
      await options(page).getByText(column, { exact: true }).click()
    }
    await format(page).getByRole('button', { name: 'Move sku up' }).click()
    await format(page).getByRole('textbox', { name: 'Name of sku in the file' }).fill('Code')
    const preview = format(page).getByRole('table', { name: 'First rows' })
    await expect
      .poll(() => preview.getByRole('columnheader').allInnerTexts())
      .toEqual(['#', 'Code', 'name'])
    await save(page)
    await page.goto(`${stage.product.url}/retailer/inventory`)
    await page.getByRole('columnheader', { name: 'Code' }).waitFor()
  })

  it('cannot need a column that the file does not have', async () => {
    const { page } = await stage.openAs('summit', '/retailer/shop')
    await chooseFormat(page, 'Stock')
    await format(page).getByRole('checkbox', { name: 'With a column for the barcode' }).click()
    await format(page).getByText('This profile needs a column with the barcode').waitFor()
  })
})
