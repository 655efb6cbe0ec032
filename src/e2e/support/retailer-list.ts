import type { Locator, Page } from './page'
import { createRestClient } from './rest-client'
import { rowOf } from './screen'
import type { Stage } from './stage'

export const RETAILERS = '/supplier/retailers'

export const save = (area: Page | Locator) => area.getByRole('button', { name: 'Save' }).click()

/** Creates a supplier with one retailer, `{username}-shop`, and opens its list of retailers. */
export async function openList(
  stage: Stage,
  username: string,
  details: { storeName?: string; storeUrl?: string } = {},
) {
  const supplier = await stage.addSupplier(username)
  const retailer = await stage.addRetailer(supplier, `${username}-shop`, details)
  const tab = await stage.openAs(username, RETAILERS)
  const { page } = tab
  const name = retailer.storeName ?? ''
  await rowOf(page, name).waitFor()
  return { tab, supplier, retailer, page, name }
}

export async function openDialog(page: Page, button: string, dialog: Locator) {
  await page.getByRole('button', { name: button }).click()
  await dialog.waitFor()
}

/** Clears the store name, as in rows written by older versions. */
export const clearStoreName = (stage: Stage, id: number) =>
  stage.write((trx) =>
    trx.updateTable('retailers').set({ storeName: null }).where('id', '=', id).execute(),
  )

export async function canSignIn(
  stage: Stage,
  username: string,
  password: string,
): Promise<boolean> {
  const rest = createRestClient(stage.product.url)
  const { status } = await rest.send('POST', '/api/login', { username, password })
  return status === 200
}
