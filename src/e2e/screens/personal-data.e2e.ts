import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { ADMIN_PASSWORD } from '../support/product'
import { createRestClient } from '../support/rest-client'
import { startRetailerStage } from '../support/retailer-stage'
import { seePath } from '../support/screen'
import { PASSWORD, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let northbeck: Supplier

beforeAll(async () => {
  ;({ stage, northbeck } = await startRetailerStage())
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

describe('Your data', () => {
  it('is downloaded as it is stored', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier/settings')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'JSON' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('my-data.json')
    const { sections } = JSON.parse(await readFile(await file.path(), 'utf8')) as {
      sections: { section: string; records: { username?: string }[] }[]
    }
    expect(sections[0]).toMatchObject({ section: 'account', records: [{ username: 'northbeck' }] })
  })

  it('and its supplier are deleted by the keyboard alone, told to a retailer at once, and kept', async () => {
    await stage.addRetailer(northbeck, 'told')
    const { page: shop } = await stage.openAs('told', '/retailer')
    const { page } = await stage.openAs('northbeck', '/supplier/settings')
    await page.getByRole('button', { name: 'Delete account…' }).focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog', { name: 'Delete account' })
      .getByLabel('Your password', { exact: true })
      .waitFor()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('This account is to be deleted on').first().waitFor()
    await shop
      .getByRole('button', { name: /1 unread|Notifications/ })
      .first()
      .click()
    await shop
      .getByText(/is to be deleted/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Keep the account' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Keep the account' }).count()).toBe(0)
  })

  it('is deleted of a person at once, who is signed out', async () => {
    await stage.addRetailer(northbeck, 'leaver')
    await stage.write(async (trx) => {
      const company = await trx
        .selectFrom('users')
        .select(['id', 'passwordHash'])
        .where('username', '=', 'leaver')
        .executeTakeFirstOrThrow()
      const { id: memberOf, passwordHash } = company
      const name = { username: 'clerk', usernameKey: 'clerk' }
      const member = { ...name, passwordHash, memberOf, memberRole: 'BUYER' } as const
      await trx
        .insertInto('users')
        .values({ ...member, role: 'MEMBER', createdAt: Date.now() })
        .execute()
    })
    const { page } = await stage.openAs('clerk', '/retailer/settings')
    await page.getByRole('button', { name: 'Delete account…' }).click()
    await page.getByRole('dialog').getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Delete now' }).click()
    await seePath(page, '/auth')
    const again = createRestClient(stage.product.url).signIn('clerk', PASSWORD)
    await expect(again).rejects.toThrow(/Invalid username or password|401/)
  })

  it('of a supplier is deleted, and kept, by an administrator on its page', async () => {
    const supplier = await stage.addSupplier('leaving', { companyName: 'Leaving Ltd' })
    const path = `/dashboard/super-admin/suppliers/${supplier.id}`
    const { page } = await stage.openAs('admin', path)
    await page.getByRole('button', { name: 'Delete supplier…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete supplier' })
    await dialog.getByText('Leaving Ltd').waitFor()
    await dialog.getByLabel('Your password', { exact: true }).fill(ADMIN_PASSWORD)
    await dialog.getByRole('button', { name: 'Delete in 14 days' }).click()
    await page.getByText(/To be deleted on .*They have been told/).waitFor()
    await page.getByRole('button', { name: 'Keep the account' }).click()
    await page.getByRole('button', { name: 'Delete supplier…' }).waitFor()
  })
})
