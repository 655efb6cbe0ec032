import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { failWithoutMessage, inputSent, watchCalls } from '../support/calls'
import type { Page } from '../support/page'
import { ADMIN_PASSWORD } from '../support/product'
import { createRestClient } from '../support/rest-client'
import { startRetailerStage } from '../support/retailer-stage'
import {
  discardChanges,
  isFocused,
  messageOf,
  seeError,
  seeHeading,
  seeSuccess,
} from '../support/screen'
import { PASSWORD, type Stage, type Supplier } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

const SETTINGS = '/retailer/settings'

let stage: Stage
let northbeck: Supplier

beforeAll(async () => {
  ;({ stage, northbeck } = await startRetailerStage())
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

describe('Settings', () => {
  const storeDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Store Information' })
  const storeFields = (page: Page) => ({
    name: storeDialog(page).getByLabel('Store Name'),
    website: storeDialog(page).getByLabel('Store Website'),
    save: storeDialog(page).getByRole('button', { name: 'Save' }),
  })
  const passwordDialog = (page: Page) => page.getByRole('dialog', { name: 'Reset Admin Password' })
  const passwordFields = (page: Page) => ({
    current: passwordDialog(page).getByLabel('Current Password', { exact: true }),
    next: passwordDialog(page).getByLabel('New Password', { exact: true }),
    confirm: passwordDialog(page).getByLabel('Confirm New Password', { exact: true }),
    submit: passwordDialog(page).getByRole('button', { name: 'Change Password' }),
  })
  async function openPasswordDialog(username: string, path: string): Promise<Page> {
    const { page } = await stage.openAs(username, path)
    await page.getByRole('button', { name: 'Change Password' }).click()
    await passwordDialog(page).waitFor()
    return page
  }

  it('show the store and save changes', async () => {
    const { id } = await stage.addRetailer(northbeck, 'fresh')
    await stage.write((trx) =>
      trx.updateTable('retailers').set({ storeName: null }).where('id', '=', id).execute(),
    )
    const { page } = await stage.openAs('fresh', SETTINGS)
    const card = page.getByRole('region', { name: 'Store Information' })
    await card.getByText('Not configured', { exact: true }).waitFor()
    await expect.poll(() => card.getByText('Website').count()).toBe(0)
    await page.getByRole('button', { name: 'Edit Store Information' }).click()
    const fields = storeFields(page)
    await fields.name.fill('  Fresh & Co ')
    await fields.website.fill('fresh.example')
    await fields.save.click()
    await seeSuccess(page, 'Store information updated')
    await storeDialog(page).waitFor({ state: 'detached' })
    await card.getByText('Fresh & Co', { exact: true }).waitFor()
    const link = card.getByRole('link', { name: 'fresh.example' })
    await expect.poll(() => link.getAttribute('href')).toBe('https://fresh.example/')
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
    await page.getByText('Fresh & Co', { exact: true }).waitFor()
  })

  it('reject an empty store name and an invalid website', async () => {
    const { page } = await stage.openAs('summit', SETTINGS)
    const calls = watchCalls(page)
    await page.getByRole('button', { name: 'Edit Store Information' }).click()
    const fields = storeFields(page)
    await expect.poll(() => fields.name.inputValue()).toBe('Summit Sports')
    await fields.name.fill('   ')
    await fields.website.fill('javascript:alert(1)')
    await fields.save.click()
    await page.getByText('Store name is required').waitFor()
    await expect.poll(() => messageOf(fields.name)).toBe('Store name is required')
    await expect
      .poll(() => messageOf(fields.website))
      .toBe('Enter a web address, for example shop.example')
    await expect.poll(() => isFocused(fields.name)).toBe(true)
    await page.keyboard.press('Escape')
    await discardChanges(page)
    await storeDialog(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit Store Information' }).click()
    await expect.poll(() => fields.name.inputValue()).toBe('Summit Sports')
    await waitUntilIdle(page)
    expect(calls).not.toContain('retailers.updateStoreInfo')
  })

  it('keep the input when the store could not be saved', async () => {
    const { page } = await stage.openAs('summit', SETTINGS)
    await page.getByRole('button', { name: 'Edit Store Information' }).click()
    await storeFields(page).name.fill('Another name')
    await failWithoutMessage(page, 'retailers.updateStoreInfo')
    await storeFields(page).save.click()
    await seeError(page, 'Something went wrong')
    await expect.poll(() => storeFields(page).name.inputValue()).toBe('Another name')
  })

  it('show an error under each invalid password field', async () => {
    const page = await openPasswordDialog('summit', SETTINGS)
    const calls = watchCalls(page)
    const fields = passwordFields(page)
    await fields.submit.click()
    await page.getByText('Current password is required').waitFor()
    await expect.poll(() => messageOf(fields.current)).toBe('Current password is required')
    await expect.poll(() => messageOf(fields.next)).toBe('Password must be at least 6 characters')
    await expect.poll(() => messageOf(fields.confirm)).toBe('Please confirm your password')
    await expect.poll(() => isFocused(fields.current)).toBe(true)
    await fields.current.fill(PASSWORD)
    await fields.next.fill('123456')
    await fields.confirm.fill('1234567')
    await fields.submit.click()
    await page.getByText("Passwords don't match").waitFor()
    await expect.poll(() => messageOf(fields.confirm)).toBe("Passwords don't match")
    await expect.poll(() => messageOf(fields.next)).toBe('')
    await expect.poll(() => isFocused(fields.confirm)).toBe(true)
    await waitUntilIdle(page)
    expect(calls).not.toContain('session.changePassword')
  })

  it('show a wrong current password as an error under its field', async () => {
    const page = await openPasswordDialog('summit', SETTINGS)
    const fields = passwordFields(page)
    await fields.current.fill('not-the-password')
    await fields.next.fill('123456')
    await fields.confirm.fill('123456')
    await fields.submit.click()
    await seeError(page, 'Current password is incorrect')
    await expect.poll(() => messageOf(fields.current)).toBe('Current password is incorrect')
    await expect.poll(() => isFocused(fields.current)).toBe(true)
    await passwordDialog(page).waitFor()
  })

  it.each([
    ['summit', SETTINGS, PASSWORD],
    ['admin', '/dashboard/super-admin/settings', ADMIN_PASSWORD],
  ])('change the password of %s and end only its other sessions', async (username, path, old) => {
    const other = createRestClient(stage.product.url)
    await other.signIn(username, old)
    const page = await openPasswordDialog(username, path)
    const fields = passwordFields(page)
    await fields.current.fill(old)
    await fields.next.fill('a-new-password')
    await fields.confirm.fill('a-new-password')
    const sent = await inputSent(page, 'session.changePassword', () => fields.submit.click())
    expect(sent).toEqual({ currentPassword: old, newPassword: 'a-new-password' })
    await seeSuccess(page, 'Password updated successfully')
    await passwordDialog(page).waitFor({ state: 'detached' })
    expect((await other.send('GET', '/api/user')).status).toBe(401)
    await page.reload()
    await seeHeading(page, 'Settings')

    const renewed = createRestClient(stage.product.url)
    await expect(renewed.signIn(username, old)).rejects.toThrow('could not sign in')
    await renewed.signIn(username, 'a-new-password')
    const back = { currentPassword: 'a-new-password', newPassword: old }
    expect((await renewed.send('POST', '/api/admin/reset-password', back)).status).toBe(200)
  })

  it('neither show nor load a store for an administrator', async () => {
    const { page } = await stage.openAs('admin', 'about:blank')
    const calls = watchCalls(page)
    await page.goto('/dashboard/super-admin/settings')
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    await waitUntilIdle(page)
    await expect.poll(() => page.getByText('Store Information').count()).toBe(0)
    expect(calls).not.toContain('retailers.own')
  })
})
