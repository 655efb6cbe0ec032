import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Tab } from '../support/browser'
import { failWithoutMessage, inputSent, UNREACHABLE, whileOffline } from '../support/calls'
import { readNow, type Page } from '../support/page'
import { cellsOf, isFocused, messageOf, rowOf, seeError, seeSuccess } from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'
import { SUPPLIERS, fieldsOf, jsonPost, readSupplier } from '../support/supplier-list'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Supplier' })
const activeSwitch = (page: Page, company: string) =>
  page.getByRole('switch', { name: `${company} is active` })

async function openEditDialog(company: string): Promise<Tab> {
  const tab = await stage.openAs('admin', SUPPLIERS)
  await tab.page.getByRole('button', { name: `Edit ${company}` }).click()
  await editDialog(tab.page).waitFor()
  return tab
}

describe('the Edit Supplier dialog', () => {
  it('sends only the three editable fields', async () => {
    const { id } = await stage.addSupplier('edited', { companyName: 'Old Name', maxRetailers: 4 })
    const { page } = await openEditDialog('Old Name')
    const dialog = editDialog(page)
    const fields = fieldsOf(dialog)
    await expect.poll(() => fields.username.inputValue()).toBe('edited')
    await expect.poll(() => fields.username.isEditable()).toBe(false)
    await expect.poll(() => fields.password.count()).toBe(0)
    await expect.poll(() => fields.contactEmail.inputValue()).toBe('edited@example.com')
    await fields.companyName.fill('New Name')
    await fields.maxRetailers.fill('5')
    const sent = await inputSent(page, 'suppliers.update', () =>
      dialog.getByRole('button', { name: 'Save' }).click(),
    )
    expect(sent).toEqual({
      id,
      companyName: 'New Name',
      contactEmail: 'edited@example.com',
      maxRetailers: 5,
    })
    await seeSuccess(page, 'Supplier updated successfully')
    await dialog.waitFor({ state: 'hidden' })
    await expect
      .poll(async () => (await readNow(cellsOf(rowOf(page, 'New Name')))).slice(0, 4))
      .toEqual(['New Name', 'edited', 'edited@example.com', '5'])
  })

  it('requires a company name, an email address and at least one retailer', async () => {
    await stage.addSupplier('emptied', { companyName: 'Emptied Ltd' })
    const { page } = await openEditDialog('Emptied Ltd')
    const fields = fieldsOf(editDialog(page))
    await fields.companyName.fill('')
    await fields.contactEmail.fill('')
    await fields.maxRetailers.fill('0')
    await editDialog(page).getByRole('button', { name: 'Save' }).click()
    await editDialog(page).getByText('Company name is required').waitFor()
    await expect.poll(() => messageOf(fields.contactEmail)).toBe('Invalid email address')
    await expect.poll(() => messageOf(fields.maxRetailers)).toBe('Max retailers must be at least 1')
    await expect.poll(() => isFocused(fields.companyName)).toBe(true)
    expect(await readSupplier(stage, 'emptied')).toMatchObject({ companyName: 'Emptied Ltd' })
  })

  it('stays open and keeps its input when the server cannot be reached', async () => {
    await stage.addSupplier('offline', { companyName: 'Offline Ltd' })
    const tab = await openEditDialog('Offline Ltd')
    const { page } = tab
    const { companyName } = fieldsOf(editDialog(page))
    await companyName.fill('Never Saved')
    await whileOffline(tab, async () => {
      await editDialog(page).getByRole('button', { name: 'Save' }).click()
      await seeError(page, UNREACHABLE)
    })
    await expect.poll(() => companyName.inputValue()).toBe('Never Saved')
    expect(await readSupplier(stage, 'offline')).toMatchObject({ companyName: 'Offline Ltd' })
  })

  it('shows a fallback text for an error without a message', async () => {
    await stage.addSupplier('wordless', { companyName: 'Wordless Ltd' })
    const { page } = await openEditDialog('Wordless Ltd')
    await failWithoutMessage(page, 'suppliers.update')
    await editDialog(page).getByRole('button', { name: 'Save' }).click()
    await seeError(page, 'Failed to update supplier')
  })
})

describe('the status switch', () => {
  it('saves at once, sends only isActive, and ends the supplier’s session', async () => {
    const { id, rest } = await stage.addSupplier('switched', { companyName: 'Switched Ltd' })
    const supplier = await stage.openAs('switched', '/supplier')
    await supplier.page.getByRole('heading', { name: 'Welcome, Switched Ltd' }).waitFor()
    const { page } = await stage.openAs('admin', SUPPLIERS)
    const sent = await inputSent(page, 'suppliers.update', () =>
      activeSwitch(page, 'Switched Ltd').click(),
    )
    expect(sent).toEqual({ id, isActive: false })
    await seeSuccess(page, 'Supplier updated successfully')
    await expect
      .poll(async () => (await readNow(cellsOf(rowOf(page, 'Switched Ltd'))))[5])
      .toBe('Inactive')
    expect(await readSupplier(stage, 'switched')).toMatchObject({ isActive: false })
    expect((await rest.send('GET', '/api/user')).status).toBe(401)

    await supplier.page.getByRole('link', { name: 'Connections', exact: true }).click()
    // Whichever asks first: the page that opens, or the button.
    const refresh = supplier.page.getByRole('button', { name: 'Refresh' })
    const refreshed = refresh.click().catch(() => undefined)
    await supplier.page.waitForURL('**/auth?**')
    await refreshed
    const login = { username: 'switched', password: PASSWORD }
    expect((await fetch(`${stage.product.url}/api/login`, jsonPost(login))).status).toBe(401)
  })

  it('lets a reactivated supplier sign in again', async () => {
    const { id } = await stage.addSupplier('revived', { companyName: 'Revived Ltd' })
    await stage.admin.send('PATCH', `/api/suppliers/${id}`, { isActive: false })
    const { page } = await stage.openAs('admin', SUPPLIERS)
    expect(
      await inputSent(page, 'suppliers.update', () => activeSwitch(page, 'Revived Ltd').click()),
    ).toEqual({ id, isActive: true })
    await seeSuccess(page, 'Supplier updated successfully')
    const supplier = await stage.openAs('revived', '/supplier')
    await supplier.page.getByRole('heading', { name: 'Welcome, Revived Ltd' }).waitFor()
  })

  it('reverts when the call fails', async () => {
    await stage.addSupplier('unmoved', { companyName: 'Unmoved Ltd' })
    const tab = await stage.openAs('admin', SUPPLIERS)
    const { page } = tab
    await activeSwitch(page, 'Unmoved Ltd').waitFor()
    await whileOffline(tab, async () => {
      await activeSwitch(page, 'Unmoved Ltd').click()
      await seeError(page, UNREACHABLE)
    })
    await expect.poll(() => activeSwitch(page, 'Unmoved Ltd').isChecked()).toBe(true)
    await expect.poll(() => activeSwitch(page, 'Unmoved Ltd').isEnabled()).toBe(true)
    await expect
      .poll(async () => (await readNow(cellsOf(rowOf(page, 'Unmoved Ltd'))))[5])
      .toBe('Active')
    expect(await readSupplier(stage, 'unmoved')).toMatchObject({ isActive: true })
  })

  it('shows a fallback text for an error without a message', async () => {
    await stage.addSupplier('silent', { companyName: 'Silent Ltd' })
    const { page } = await stage.openAs('admin', SUPPLIERS)
    await failWithoutMessage(page, 'suppliers.update')
    await activeSwitch(page, 'Silent Ltd').click()
    await seeError(page, 'Failed to update supplier')
    await expect.poll(() => activeSwitch(page, 'Silent Ltd').isChecked()).toBe(true)
  })
})
