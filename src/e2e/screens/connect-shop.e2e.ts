import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { SHOPS } from '../../client/lib/shop-view'
import type { Retailer } from '../../shared/schemas/retailer'
import { expectAccessible } from '../support/axe'
import { readNow, type Page } from '../support/page'
import { readAsShop } from '../support/read-as-shop'
import { fillLogin, isFocused, seeHeading, seePath } from '../support/screen'
import { PASSWORD, startStage, type Stage, type Supplier } from '../support/stage'

const CSV = 'sku,name,stock\n1,Boot,4\n2,Cap,0\n3,Tent,7\n'
const WOOCOMMERCE = { 'user-agent': 'WooCommerce/9.1' }

let stage: Stage
let northbeck: Supplier
const retailers = new Map<string, Retailer>()

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/inventory.csv', { body: CSV })
  northbeck = await stage.addSupplier('northbeck')
  for (const name of ['summit', 'ridge', 'valley', 'lake']) {
    retailers.set(name, await stage.addRetailer(northbeck, name))
  }
  await stage.addConnection(northbeck, {
    name: 'Main feed',
    url: stage.sourceServer.url('/inventory.csv'),
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name }).click()

/** The address that is shown as a whole. */
async function readNewAddress(page: Page): Promise<string> {
  const code = region(page, 'Feed address').getByRole('status').locator('code')
  await code.waitFor()
  // Read once: a new address is shown until the page is left.
  return readNow(code.innerText())
}

const supplierPage = (name: string) => `/supplier/retailers/${retailers.get(name)!.id}/shop`

describe('a retailer connects its shop', () => {
  it.each([
    ['summit', 1280],
    ['ridge', 390],
  ])('from sign-in to the first read, without help: %s at %d px', async (name, width) => {
    const { page } = await stage.openAs(null, '/retailer')
    await page.setViewportSize({ width, height: 800 })
    await seePath(page, '/auth')
    await fillLogin(page, name, PASSWORD)
    await page.getByRole('link', { name: 'Connect your shop' }).last().click()
    await seeHeading(page, 'Connect your shop')
    const state = region(page, 'Your shop')
    await state.getByText('Not connected').waitFor()

    await page.getByRole('radio', { name: 'WooCommerce' }).check()
    await page.getByRole('cell', { name: '7', exact: true }).waitFor()
    await button(page, 'Use this format').click()
    await page.getByText('The file has this format').waitFor()
    await button(page, 'Create address').click()
    const address = await readNewAddress(page)
    await region(page, 'Where to paste it').getByText(address).waitFor()
    await state.getByText('Waiting for the first read …').waitFor()

    const answer = await readAsShop(address, WOOCOMMERCE)
    expect(await answer.text()).toBe('SKU,Stock,In stock?\n1,4,1\n2,0,0\n3,7,1\n')
    await state.getByText(/^Your shop has read 3 rows at \d/).waitFor()
    await state.getByText('WooCommerce/9.1').waitFor()
    await state.getByRole('definition').filter({ hasText: /^1$/ }).waitFor()

    await page.reload()
    await state.getByText(/^Your shop has read 3 rows at \d/).waitFor()
    await page.getByRole('radio', { name: 'WooCommerce', checked: true }).waitFor()
    await expect.poll(() => page.content()).not.toContain(address)
    await region(page, 'Where to paste it')
      .getByText(`/feeds/••••${address.split('/')[4]?.slice(-4)}/inventory.csv`)
      .waitFor()
  })

  it('with the keyboard alone', async () => {
    const { page } = await stage.openAs('valley', '/retailer/shop')
    const tiles = page.getByRole('radio')
    await tiles.first().focus()
    await page.keyboard.press('Space')
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight')
    await page.waitForURL((url) => url.searchParams.get('shop') === 'sheets')
    await expect
      .poll(() => isFocused(page.getByRole('radio', { name: 'Google Sheets' })))
      .toBe(true)
    const use = button(page, 'Use this format')
    await use.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(page.getByText('The file has this format'))).toBe(true)
    await page.keyboard.press('Tab')
    await expect.poll(() => isFocused(button(page, 'Create address'))).toBe(true)
    await page.keyboard.press('Enter')
    const address = await readNewAddress(page)
    await page.getByText(`=IMPORTDATA("${address}")`).waitFor()
  })

  it('and replaces or revokes its address', async () => {
    const { id } = retailers.get('valley')!
    await northbeck.rest.send('POST', `/api/retailers/${id}/feed-addresses`)
    const { page } = await stage.openAs('valley', '/retailer/shop')
    await button(page, 'Replace').click()
    await confirm(page, 'Replace')
    const address = await readNewAddress(page)
    await region(page, 'Feed address').getByText('Ends in').first().waitFor()
    expect((await readAsShop(address)).status).toBe(200)
    await button(page, 'Revoke').click()
    await confirm(page, 'Revoke')
    await region(page, 'Your shop').getByText('No address works now').waitFor()
    expect((await readAsShop(address)).status).toBe(404)
  })
})

describe('a retailer protects the address of its shop', () => {
  it('by a password, sees that its shop was refused without it, and then that it reads', async () => {
    const { id } = retailers.get('ridge')!
    const { page } = await stage.openAs('ridge', '/retailer/shop?shop=script')
    await northbeck.rest.send('DELETE', `/api/retailers/${id}/feed-addresses`)
    await page.reload()
    await button(page, 'Create address').click()
    const address = await readNewAddress(page)
    await button(page, 'Add protection').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Password' }).click()
    await page.getByRole('option', { name: 'Make one' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Copy the password now').waitFor()
    await expectAccessible(page)
    const password = await readNow(dialog.locator('code').first().innerText())
    await dialog.getByRole('button', { name: 'Done' }).click()
    await region(page, 'Protection')
      .getByText(`…${password.slice(-4)}`)
      .waitFor()
    await region(page, 'Where to paste it').getByText(`-u feed:${password}`).waitFor()

    expect((await readAsShop(address, WOOCOMMERCE)).status).toBe(401)
    const state = region(page, 'Your shop')
    await state.getByText(/^Your shop was refused at \d/).waitFor()
    await state.getByText('No password').waitFor()

    const authorization = `Basic ${Buffer.from(`feed:${password}`).toString('base64')}`
    const answer = await readAsShop(address, { ...WOOCOMMERCE, authorization })
    expect(answer.status).toBe(200)
    await state.getByText(/^Your shop has read 3 rows at \d/).waitFor()
    await page.reload()
    await expect.poll(() => page.content()).not.toContain(password)
  })
})

describe('a supplier connects the shop of a retailer', () => {
  it('and sees its first read, which appears at the retailer’s as well', async () => {
    const { page: shop } = await stage.openAs('lake', '/retailer/shop')
    await region(shop, 'Your shop').getByText('Not connected').waitFor()
    const { page } = await stage.openAs('northbeck', supplierPage('lake'))
    await page.getByRole('radio', { name: 'Excel' }).check()
    await button(page, 'Create address').click()
    const address = await readNewAddress(page)
    const message = region(page, 'Send it to the retailer')
    await message.getByText(`${stage.product.url}/retailer/shop?shop=excel`).waitFor()
    await message.getByText(address).waitFor()
    await region(shop, 'Feed address')
      .getByText(`/feeds/…${address.split('/')[4]?.slice(-4)}/`)
      .waitFor()
    await region(shop, 'Your shop').getByText('Waiting for the first read …').waitFor()

    await (await readAsShop(address, WOOCOMMERCE)).text()
    await region(shop, 'Your shop')
      .getByText(/^Your shop has read 3 rows/)
      .waitFor()
    await region(page, 'The shop')
      .getByText(/^The shop has read 3 rows/)
      .waitFor()
    await page.reload()
    await expect.poll(() => page.content()).not.toContain(address)
  })

  it('and sends the page, which opens as it was sent once the retailer has signed in', async () => {
    const { page } = await stage.openAs(null, '/retailer/shop?shop=adobe')
    await fillLogin(page, 'lake', PASSWORD)
    await seeHeading(page, 'Connect your shop')
    await page.getByRole('radio', { name: 'Adobe Commerce', checked: true }).waitFor()
  })

  it('from the page of the retailer', async () => {
    const path = `/supplier/retailers/${retailers.get('lake')!.id}`
    const { page } = await stage.openAs('northbeck', path)
    await page.getByRole('link', { name: 'Connect its shop' }).click()
    await seePath(page, supplierPage('lake'))
    await page.getByRole('link', { name: 'Back' }).click()
    await seePath(page, path)
  })
})

describe('no violation, in either colour scheme', () => {
  it.each(process.env.SHORT ? SHOPS.slice(0, 1) : SHOPS)('in the guide of %s', async (shop) => {
    const { page } = await stage.openAs('lake', `/retailer/shop?shop=${shop}`)
    await region(page, 'Where to paste it').getByRole('listitem').first().waitFor()
    await region(page, 'Your shop').getByRole('status').waitFor()
    await expectAccessible(page)
  })

  it('as a supplier sees it', async () => {
    const { page } = await stage.openAs('northbeck', `${supplierPage('lake')}?shop=other`)
    await region(page, 'The shop').getByRole('status').waitFor()
    await expectAccessible(page)
  })
})
