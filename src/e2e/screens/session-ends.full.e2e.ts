import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { holdCalls } from '../support/calls'
import type { Page } from '../support/page'
import { ADMIN_PASSWORD } from '../support/product'
import { fillLogin, seeHeading, seePath } from '../support/screen'
import { PASSWORD, startStage, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let acme: Supplier
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const logoutButton = (page: Page) => page.getByRole('button', { name: 'Logout' })

beforeAll(async () => {
  stage = await startStage()
  acme = await stage.addSupplier('acme', { companyName: 'Acme Tools' })
  await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

describe('the end of a session', () => {
  it('comes with Logout, after which Back shows no data', async () => {
    const { page } = await stage.openAs('acme', '/supplier')
    await menu(page).getByRole('link', { name: 'Retailers' }).click()
    await page.getByText('Summit Sports').waitFor()
    await logoutButton(page).click()
    await seePath(page, '/auth')
    await page.getByRole('heading', { name: 'Login' }).waitFor()
    await page.waitForURL((url) => url.search === '')
    expect((await page.context().request.get('/api/user')).status()).toBe(401)
    await page.goBack()
    await seePath(page, '/auth')
    await page.getByRole('heading', { name: 'Login' }).waitFor()
    await expect.poll(() => page.getByText('Summit Sports').count()).toBe(0)
  })

  it('comes with Logout in the user menu', async () => {
    const { page } = await stage.openAs('summit', '/retailer')
    await page.getByRole('button', { name: 'account of summit' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.getByRole('heading', { name: 'Login' }).waitFor()
  })

  it('redirects to /auth, and the next user sees no data of the previous one', async () => {
    const peak = await stage.addSupplier('peak', { companyName: 'Peak Supplies' })
    await stage.addRetailer(peak, 'harbour', { storeName: 'Harbour Shop' })
    const leaver = await stage.addRetailer(acme, 'leaver', { storeName: 'Leaver Store' })
    const { page } = await stage.openAs('leaver', '/retailer')
    await page.getByText('Connected to Acme Tools').waitFor()
    await page.getByText('Leaver Store').waitFor()
    // A password reset by the supplier ends the retailer's sessions.
    const reset = `/api/users/${leaver.userId}/reset-password`
    await acme.rest.send('PATCH', reset, { newPassword: 'another-password' })
    await menu(page).getByRole('link', { name: 'Inventory Preview' }).click()
    await page.getByRole('heading', { name: 'Login' }).waitFor()
    await page.waitForURL((url) => url.search === '?next=%2Fretailer%2Finventory')

    const release = await holdCalls(page, 'retailers.own')
    await fillLogin(page, 'harbour', PASSWORD)
    await seeHeading(page, 'Inventory Preview')
    await page.getByRole('status', { name: 'Loading your store' }).waitFor()
    const pageText = () => page.locator('body').innerText()
    await expect.poll(pageText).toContain('Welcome back, harbour')
    await expect.poll(pageText).not.toMatch(/leaver|Acme/i)
    release()
    await page.getByText('Harbour Shop').waitFor()
    await page.getByText('Provided by Peak Supplies').waitFor()
  })

  it('redirects to /auth when a mutation is answered with 401', async () => {
    const { page } = await stage.openAs('summit', '/retailer/settings')
    await page.getByRole('button', { name: 'Edit Store Information' }).click()
    await page.context().clearCookies()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Login' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('comes with the next call after a supplier was deactivated', async () => {
    const gone = await stage.addSupplier('gone')
    const { page } = await stage.openAs('gone', '/supplier')
    await seeHeading(page, 'Welcome, gone company')
    await stage.admin.send('PATCH', `/api/suppliers/${gone.id}`, { isActive: false })
    await page.reload()
    await page.getByRole('heading', { name: 'Login' }).waitFor()
    await fillLogin(page, 'gone', PASSWORD)
    await page
      .getByRole('form', { name: 'Login' })
      .getByText('Invalid username or password')
      .waitFor()
  })
})

describe('two tabs', () => {
  it('sign out and in together', async () => {
    const { page: first } = await stage.openAs('acme', '/supplier')
    await seeHeading(first, 'Welcome, Acme Tools')
    const second: Page = await first.context().newPage()
    await second.goto('/supplier/retailers')
    await second.getByText('Summit Sports').waitFor()

    await logoutButton(first).click()
    await second.getByRole('heading', { name: 'Login' }).waitFor()
    await expect.poll(() => second.getByText('Summit Sports').count()).toBe(0)
    await second.waitForURL((url) => url.searchParams.get('next') === '/supplier/retailers')

    await fillLogin(first, 'summit', PASSWORD)
    await second.getByText('Welcome back, summit').waitFor()
    await seePath(second, '/retailer')
    await second.close()
  })

  it('never show one user’s data in another user’s frame', async () => {
    const { page: first } = await stage.openAs('acme', '/supplier/retailers')
    await first.getByText('Summit Sports').waitFor()
    const second: Page = await first.context().newPage()
    await second.goto('/supplier')
    await logoutButton(second).click()
    await fillLogin(second, 'admin', ADMIN_PASSWORD)
    await seeHeading(second, 'Supplier Management')
    await first.getByText('Welcome back, admin').waitFor()
    await expect.poll(() => first.getByText('Summit Sports').count()).toBe(0)
    await second.close()
  })
})
