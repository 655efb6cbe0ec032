import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Page } from '../support/page'
import { ADMIN_PASSWORD } from '../support/product'
import { seeHeading, seePath } from '../support/screen'
import { startStage, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let acme: Supplier

beforeAll(async () => {
  stage = await startStage()
  acme = await stage.addSupplier('acme', { companyName: 'Acme Tools' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Sessions' }).locator('tbody')
const elsewhere = (page: Page) => page.getByRole('button', { name: /^Sign out of / })

describe('where somebody is signed in', () => {
  it('is listed under the user menu, and follows what happens elsewhere', async () => {
    const { page } = await stage.openAs('acme', '/supplier')
    await page.getByRole('button', { name: 'account of acme' }).click()
    await page.getByRole('menuitem', { name: 'Sessions' }).click()
    await seeHeading(page, 'Where you are signed in')
    await page.getByText('This one').waitFor()
    const listed = await page.context().request.get('/api/sessions')
    const before = ((await listed.json()) as unknown[]).length
    await expect.poll(() => rowsOf(page).count()).toBe(before)
    await stage.openAs('acme', '/supplier')
    await expect.poll(() => rowsOf(page).count()).toBe(before + 1)
  })

  it('ends elsewhere at once, and the page there says so by itself', async () => {
    const { page } = await stage.openAs('acme', '/sessions')
    const { page: there } = await stage.openAs('acme', '/supplier/retailers')
    await seeHeading(there, 'Retailers')
    await elsewhere(page).first().waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed in here only').waitFor()
    await seePath(there, '/auth')
    expect((await page.context().request.get('/api/user')).status()).toBe(200)
  })
})

describe('what only its person is to do', () => {
  it('is asked for again where the sign-in is long ago, and goes on with the password', async () => {
    const { page } = await stage.openAs('admin', `/dashboard/super-admin/suppliers/${acme.id}`)
    await page.getByText('Nobody else signs in for this company').waitFor()
    await stage.write((trx) => trx.updateTable('sessions').set({ confirmedAt: null }).execute())
    await page.getByRole('button', { name: 'View as', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'View as', exact: true }).click()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('type')))
      .toBe('password')
    await page.keyboard.type(ADMIN_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await seeHeading(page, 'Supplier Management')
  })
})
