import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Page } from '../support/page'
import { choose, seeSuccess } from '../support/screen'
import { startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

async function download(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download Full File' }).click(),
  ])
  return readFile(await file.path(), 'utf8')
}

describe('a supplier who makes prices of costs', () => {
  it('does so for a group, and otherwise for one retailer, who download them', async () => {
    stage.sourceServer.set('/costs.csv', { body: 'sku,quantity,cost\r\nN-1,4,10.00\r\n' })
    const supplier = await stage.addSupplier('northbeck', { companyName: 'Northbeck' })
    const url = stage.sourceServer.url('/costs.csv')
    await stage.addConnection(supplier, { name: 'Main feed', url })
    const retailer = await stage.addRetailer(supplier, 'harbour', { storeName: 'Harbour' })
    const { page } = await stage.openAs('northbeck', '/supplier/groups')
    await page.getByRole('button', { name: 'Add group' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Trade')
    // What comes below moves when it is known that there are no categories.
    await dialog.getByText('This stays on because').waitFor()
    await dialog.getByRole('switch', { name: 'Make prices of costs' }).click()
    await dialog.getByRole('textbox', { name: 'Percent' }).fill('25')
    await dialog.getByRole('textbox', { name: 'Plus amount' }).fill('1')
    await dialog.getByRole('textbox', { name: 'Round up to these cents' }).fill('99')
    await dialog.getByText('A cost of 10.00 becomes 13.99.').waitFor()
    await dialog.getByText('Costs are read from the column “cost” of your file.').waitFor()
    await dialog.getByRole('button', { name: 'Add group' }).click()
    await seeSuccess(page, 'Group added')

    await page.goto(`/supplier/retailers/${retailer.id}`)
    await page.getByText('As in your file').waitFor()
    await choose(page, 'Group', 'Trade')
    await page.getByText('Made of costs. A cost of 10.00 becomes 13.99.').waitFor()
    const { page: shop } = await stage.openAs('harbour', '/retailer/inventory')
    await expect.poll(() => download(shop)).toBe('sku,quantity,price\r\nN-1,4,13.99\r\n')

    await page.getByRole('button', { name: 'Change the prices' }).click()
    await page.getByRole('textbox', { name: 'Percent' }).fill('50')
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await page.getByRole('button', { name: 'Prices: as in the group' }).waitFor()
    await expect.poll(() => download(shop)).toBe('sku,quantity,price\r\nN-1,4,16.99\r\n')
  })
})
