import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { inviteRetailer } from '../support/invite'
import type { Page } from '../support/page'
import { seeHeading, seePath } from '../support/screen'
import { PASSWORD, startStage, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let northbeck: Supplier
let summit: Supplier

beforeAll(async () => {
  stage = await startStage()
  northbeck = await addSupplier('northbeck', 'Northbeck', 'sku,quantity\r\nN-1,4\r\n')
  summit = await addSupplier('summit', 'Summit', 'sku,quantity\r\nS-1,7\r\n')
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

async function download(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download', exact: false }).first().click(),
  ])
  return readFile(await file.path(), 'utf8')
}

const seeSupplier = (page: Page, name: string) =>
  page.getByRole('heading', { name: `Connected to ${name}` }).waitFor()

const switchOf = (page: Page, name: string) =>
  page.getByRole('button', { name: `${name}, choose a supplier` })

describe('a retailer with a login', () => {
  it('accepts another supplier with it, and downloads the files of both', async () => {
    const first = await stage.openWindow(await inviteRetailer(northbeck, 'Harbour Cycles'))
    await first.page.getByRole('textbox', { name: 'Username' }).fill('harbour')
    await first.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await first.page.getByRole('textbox', { name: 'Email' }).fill('orders@harbour.example')
    await first.page.getByRole('button', { name: 'Accept invitation' }).click()
    await seePath(first.page, '/retailer')
    await expect.poll(() => switchOf(first.page, 'Northbeck').count()).toBe(0)

    const { page } = await stage.openWindow(await inviteRetailer(summit, 'Harbour at Summit'))
    await seeHeading(page, 'Summit invites you')
    await page.getByRole('button', { name: 'I have a login: sign in' }).click()
    await page.getByRole('textbox', { name: 'Username' }).fill('harbour')
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.getByRole('button', { name: 'Accept as harbour' }).click()
    await seePath(page, '/retailer')
    await seeSupplier(page, 'Summit')
    expect(await download(page)).toContain('S-1,7')

    await switchOf(page, 'Summit').click()
    await page.getByRole('menuitemradio', { name: /Northbeck/ }).click()
    await seeSupplier(page, 'Northbeck')
    expect(await download(page)).toContain('N-1,4')

    // The other pages go on with it, also after the browser was closed.
    await page.getByRole('link', { name: 'Connect your shop' }).first().click()
    await seePath(page, '/retailer/shop')
    await switchOf(page, 'Northbeck').waitFor()
    await page.goto('/retailer')
    await seeSupplier(page, 'Northbeck')
    await page.goto('/retailer?relation=999999')
    await switchOf(page, 'Northbeck').waitFor()
  })
})
