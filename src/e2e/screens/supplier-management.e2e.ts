import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { User } from '../../shared/schemas/user'
import { inputSent } from '../support/calls'
import type { Page } from '../support/page'
import {
  cellsOf,
  columnsOf,
  dayOn,
  discardChanges,
  isFocused,
  messageOf,
  messagesOf,
  rowOf,
  seeError,
  seeSuccess,
} from '../support/screen'
import { startStage, type Stage } from '../support/stage'
import { SUPPLIERS, fieldsOf, jsonPost, readSupplier } from '../support/supplier-list'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const addButton = (page: Page) => page.getByRole('button', { name: 'Add Supplier' })
const addDialog = (page: Page) => page.getByRole('dialog', { name: 'Add New Supplier' })

async function openAddDialog(): Promise<Page> {
  const { page } = await stage.openAs('admin', SUPPLIERS)
  await addButton(page).click()
  await addDialog(page).waitFor()
  return page
}

describe('the list of suppliers', () => {
  it('offers to add the first supplier', async () => {
    const { page } = await stage.openAs('admin', '/')
    await page.getByRole('heading', { name: 'Supplier Management', level: 1 }).waitFor()
    await page.getByText('No suppliers yet').waitFor()
    await page.getByRole('button', { name: 'Add the first supplier' }).waitFor()
    await addButton(page).waitFor()
  })

  it('shows suppliers under the specified column headers', async () => {
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
    expect(await readSupplier(stage, 'northbeck')).toMatchObject({
      role: 'SUPPLIER',
      maxRetailers: 25,
    })
    const login = { username: 'northbeck', password: 'northbeck-password' }
    expect((await fetch(`${stage.product.url}/api/login`, jsonPost(login))).status).toBe(200)
  })

  it('shows an error under each empty field and focuses the first', async () => {
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

  it('shows an error under each invalid field and creates nothing', async () => {
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
    await discardChanges(page)
    await addDialog(page).waitFor({ state: 'hidden' })
    expect((await stage.admin.send('GET', '/api/suppliers')).body).toHaveLength(before)
  })

  it('shows a taken username under its field and in a toast, and keeps the input', async () => {
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

  it('closes with Escape and returns the focus', async () => {
    const page = await openAddDialog()
    await page.keyboard.press('Escape')
    await addDialog(page).waitFor({ state: 'hidden' })
    await expect.poll(() => isFocused(addButton(page))).toBe(true)
  })
})

describe('View as', () => {
  it('shows the product as the supplier sees it, without writing, until it is stopped', async () => {
    const viewed = await stage.addSupplier('viewed', { companyName: 'Viewed Ltd' })
    const { page } = await stage.openAs('admin', `${SUPPLIERS}/suppliers/${viewed.id}`)
    await page.getByRole('button', { name: 'View as', exact: true }).click()
    await page.getByText('Viewing as Viewed Ltd · read-only').waitFor()
    await page.getByRole('heading', { name: 'Welcome, Viewed Ltd', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Contact Phone').fill('+44 20 7946 0000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('You only view the product as this user.').first().waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    const heading = page.getByRole('heading', { name: 'Supplier Management', level: 1 })
    await expect.poll(() => isFocused(heading)).toBe(true)
    await page.getByRole('link', { name: 'Audit Log' }).click()
    await page.getByText('stopped viewing the product as viewed').waitFor()
    await page.getByText('began to view the product as viewed').waitFor()
  })
})
