import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { User } from '../shared/schemas/user'
import type { Tab } from './browser'
import { failWithoutWords, inputSent, UNREACHABLE, whileOffline } from './calls'
import {
  cellsOf,
  columnsOf,
  dayOn,
  isFocused,
  messageOf,
  messagesOf,
  rowOf,
  seeError,
  seeSuccess,
} from './screen'
import { PASSWORD, startStage, type Stage } from './stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const SUPPLIERS = '/dashboard/super-admin'
const addButton = (page: Page) => page.getByRole('button', { name: 'Add Supplier' })
const addDialog = (page: Page) => page.getByRole('dialog', { name: 'Add New Supplier' })
const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Supplier' })
const activeSwitch = (page: Page, company: string) =>
  page.getByRole('switch', { name: `${company} is active` })

const fieldsOf = (dialog: Locator) => ({
  username: dialog.getByLabel('Username'),
  password: dialog.getByLabel('Password', { exact: true }),
  companyName: dialog.getByLabel('Company Name'),
  contactEmail: dialog.getByLabel('Contact Email'),
  maxRetailers: dialog.getByLabel('Max Retailers'),
})

const jsonPost = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function readSupplier(username: string): Promise<User | undefined> {
  const suppliers = (await stage.admin.send('GET', '/api/suppliers')).body as User[]
  return suppliers.find((supplier) => supplier.username === username)
}

async function openAddDialog(): Promise<Page> {
  const { page } = await stage.openAs('admin', SUPPLIERS)
  await addButton(page).click()
  await addDialog(page).waitFor()
  return page
}

async function openEditDialog(company: string): Promise<Tab> {
  const tab = await stage.openAs('admin', SUPPLIERS)
  await tab.page.getByRole('button', { name: `Edit ${company}` }).click()
  await editDialog(tab.page).waitFor()
  return tab
}

describe('the list of suppliers', () => {
  it('leads a new administrator to its first supplier', async () => {
    const { page } = await stage.openAs('admin', '/')
    await page.getByRole('heading', { name: 'Supplier Management', level: 1 }).waitFor()
    await page.getByText('No suppliers yet').waitFor()
    await addButton(page).waitFor()
  })

  it('shows who they are under the specified heads', async () => {
    const details = { companyName: 'Listed Ltd', maxRetailers: 1_200 }
    const { createdAt } = await stage.addSupplier('listed', details)
    const { page } = await stage.openAs('admin', SUPPLIERS)
    const row = rowOf(page, 'Listed Ltd')
    await row.waitFor()
    await expect
      .poll(() => columnsOf(page))
      .toEqual([
        'Company Name',
        'Username',
        'Contact Email',
        'Max Retailers',
        'Created At',
        'Status',
        'Actions',
      ])
    const day = await dayOn(page, createdAt)
    await expect
      .poll(() => cellsOf(row))
      .toEqual(['Listed Ltd', 'listed', 'listed@example.com', '1,200', day, 'Active', ''])
  })
})

describe('the Add New Supplier dialog', () => {
  it('creates a supplier that can sign in', async () => {
    const page = await openAddDialog()
    const fields = fieldsOf(addDialog(page))
    await expect.poll(() => isFocused(fields.username)).toBe(true)
    await expect.poll(() => fields.maxRetailers.inputValue()).toBe('10')
    await expect.poll(() => fields.contactEmail.getAttribute('type')).toBe('email')
    await fields.username.fill('northbeck')
    await fields.password.fill('northbeck-password')
    await fields.companyName.fill('Northbeck Outdoor')
    await fields.contactEmail.fill('stock@northbeck.example')
    await fields.maxRetailers.fill('25')
    const sent = await inputSent(page, 'suppliers.create', () =>
      addDialog(page).getByRole('button', { name: 'Add Supplier' }).click(),
    )
    expect(sent).toEqual({
      username: 'northbeck',
      password: 'northbeck-password',
      companyName: 'Northbeck Outdoor',
      contactEmail: 'stock@northbeck.example',
      maxRetailers: 25,
    })
    await seeSuccess(page, 'Supplier created successfully')
    await addDialog(page).waitFor({ state: 'hidden' })
    await rowOf(page, 'Northbeck Outdoor').waitFor()
    expect(await readSupplier('northbeck')).toMatchObject({ role: 'SUPPLIER', maxRetailers: 25 })
    const login = { username: 'northbeck', password: 'northbeck-password' }
    expect((await fetch(`${stage.product.url}/api/login`, jsonPost(login))).status).toBe(200)
  })

  it('says under each field what is missing, and starts at the first', async () => {
    const page = await openAddDialog()
    const fields = fieldsOf(addDialog(page))
    await fields.maxRetailers.fill('')
    await addDialog(page).getByRole('button', { name: 'Add Supplier' }).click()
    await addDialog(page).getByText('Company name is required').waitFor()
    await expect
      .poll(() => messagesOf(fields))
      .toEqual({
        username: 'Username is required',
        password: 'Password must be at least 6 characters',
        companyName: 'Company name is required',
        contactEmail: 'Invalid email address',
        maxRetailers: 'Max retailers must be a number',
      })
    await expect.poll(() => isFocused(fields.username)).toBe(true)
  })

  it('says under each field what is wrong with it, and creates nobody', async () => {
    const page = await openAddDialog()
    const fields = fieldsOf(addDialog(page))
    await fields.username.fill('  ')
    await fields.password.fill('short')
    await fields.companyName.fill('   ')
    await fields.contactEmail.fill('stock at northbeck')
    await fields.maxRetailers.fill('0')
    await addDialog(page).getByRole('button', { name: 'Add Supplier' }).click()
    await addDialog(page).getByText('Invalid email address').waitFor()
    await expect
      .poll(() => messagesOf(fields))
      .toEqual({
        username: 'Username is required',
        password: 'Password must be at least 6 characters',
        companyName: 'Company name is required',
        contactEmail: 'Invalid email address',
        maxRetailers: 'Max retailers must be at least 1',
      })
    const before = ((await stage.admin.send('GET', '/api/suppliers')).body as User[]).length
    await addDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await addDialog(page).waitFor({ state: 'hidden' })
    expect((await stage.admin.send('GET', '/api/suppliers')).body).toHaveLength(before)
  })

  it('puts a username that is taken under its field and in a toast, and keeps what was typed', async () => {
    await stage.addSupplier('taken')
    const page = await openAddDialog()
    const fields = fieldsOf(addDialog(page))
    await fields.username.fill('TAKEN')
    await fields.password.fill('another-password')
    await fields.companyName.fill('Second Ltd')
    await fields.contactEmail.fill('second@example.com')
    await addDialog(page).getByRole('button', { name: 'Add Supplier' }).click()
    await seeError(page, 'This username is already taken')
    await expect.poll(() => messageOf(fields.username)).toBe('This username is already taken')
    await expect.poll(() => isFocused(fields.username)).toBe(true)
    await expect.poll(() => fields.companyName.inputValue()).toBe('Second Ltd')

    await fields.username.fill('second')
    await addDialog(page).getByRole('button', { name: 'Add Supplier' }).click()
    await seeSuccess(page, 'Supplier created successfully')
  })

  it('closes with Escape and gives the focus back', async () => {
    const page = await openAddDialog()
    await page.keyboard.press('Escape')
    await addDialog(page).waitFor({ state: 'hidden' })
    await expect.poll(() => isFocused(addButton(page))).toBe(true)
  })
})

describe('the Edit Supplier dialog', () => {
  it('sends the three fields that may change, and nothing else', async () => {
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
      .poll(async () => (await cellsOf(rowOf(page, 'New Name'))).slice(0, 4))
      .toEqual(['New Name', 'edited', 'edited@example.com', '5'])
  })

  it('asks for a company, an address and at least one retailer', async () => {
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
    expect(await readSupplier('emptied')).toMatchObject({ companyName: 'Emptied Ltd' })
  })

  it('stays open with what was typed when the server cannot be reached', async () => {
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
    expect(await readSupplier('offline')).toMatchObject({ companyName: 'Offline Ltd' })
  })

  it('has a text for a failure without one', async () => {
    await stage.addSupplier('wordless', { companyName: 'Wordless Ltd' })
    const { page } = await openEditDialog('Wordless Ltd')
    await failWithoutWords(page, 'suppliers.update')
    await editDialog(page).getByRole('button', { name: 'Save' }).click()
    await seeError(page, 'Failed to update supplier')
  })
})

describe('the status switch', () => {
  it('saves at once, with isActive alone, and ends the supplier’s session', async () => {
    const { id, rest } = await stage.addSupplier('switched', { companyName: 'Switched Ltd' })
    const supplier = await stage.openAs('switched', '/supplier')
    await supplier.page.getByRole('heading', { name: 'Welcome, Switched Ltd' }).waitFor()
    const { page } = await stage.openAs('admin', SUPPLIERS)
    const sent = await inputSent(page, 'suppliers.update', () =>
      activeSwitch(page, 'Switched Ltd').click(),
    )
    expect(sent).toEqual({ id, isActive: false })
    await seeSuccess(page, 'Supplier updated successfully')
    await expect.poll(async () => (await cellsOf(rowOf(page, 'Switched Ltd')))[5]).toBe('Inactive')
    expect(await readSupplier('switched')).toMatchObject({ isActive: false })
    expect((await rest.send('GET', '/api/user')).status).toBe(401)

    await supplier.page.getByRole('link', { name: 'Connections', exact: true }).click()
    await supplier.page.getByRole('button', { name: 'Refresh' }).click()
    await supplier.page.waitForURL('**/auth?**')
    const login = { username: 'switched', password: PASSWORD }
    expect((await fetch(`${stage.product.url}/api/login`, jsonPost(login))).status).toBe(401)
  })

  it('lets the supplier in again', async () => {
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

  it('goes back when the call fails', async () => {
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
    await expect.poll(async () => (await cellsOf(rowOf(page, 'Unmoved Ltd')))[5]).toBe('Active')
    expect(await readSupplier('unmoved')).toMatchObject({ isActive: true })
  })

  it('has a text for a failure without one', async () => {
    await stage.addSupplier('silent', { companyName: 'Silent Ltd' })
    const { page } = await stage.openAs('admin', SUPPLIERS)
    await failWithoutWords(page, 'suppliers.update')
    await activeSwitch(page, 'Silent Ltd').click()
    await seeError(page, 'Failed to update supplier')
    await expect.poll(() => activeSwitch(page, 'Silent Ltd').isChecked()).toBe(true)
  })
})
