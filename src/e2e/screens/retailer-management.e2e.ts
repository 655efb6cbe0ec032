import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { failWithoutMessage, holdCalls, inputSent, watchCalls } from '../support/calls'
import { readNow, type Page } from '../support/page'
import {
  RETAILERS,
  openList,
  openDialog,
  clearStoreName,
  canSignIn,
} from '../support/retailer-list'
import {
  cellsOf,
  columnsOf,
  dayOn,
  isFocused,
  messageOf,
  messagesOf,
  rowOf,
  seeError,
  seePath,
  seeSuccess,
} from '../support/screen'
import { listRetailers, PASSWORD, startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const addButton = (page: Page) => page.getByRole('button', { name: 'Add Retailer' })
const addDialog = (page: Page) => page.getByRole('dialog', { name: 'Add New Retailer' })
const deleteDialog = (page: Page) => page.getByRole('dialog', { name: 'Delete Retailer' })

const addFields = (page: Page) => ({
  username: addDialog(page).getByLabel('Username'),
  password: addDialog(page).getByLabel('Password', { exact: true }),
  contactEmail: addDialog(page).getByLabel('Email'),
  storeName: addDialog(page).getByLabel('Store Name'),
})

const create = (page: Page) =>
  addDialog(page).getByRole('button', { name: 'Create Retailer' }).click()

async function fillAddDialog(page: Page, username: string, storeName: string) {
  await openDialog(page, 'Add Retailer', addDialog(page))
  await addFields(page).username.fill(username)
  await addFields(page).password.fill(PASSWORD)
  await addFields(page).contactEmail.fill('buyer@example.com')
  await addFields(page).storeName.fill(storeName)
}

describe('the list of retailers', () => {
  it('shows stores with their links, or N/A, and opens a store by a click', async () => {
    const { supplier, retailer, page } = await openList(stage, 'lister', {
      storeName: 'Hill Sports',
      storeUrl: 'hill.example/shop',
    })
    const nameless = await stage.addRetailer(supplier, 'lister-nameless')
    await clearStoreName(stage, nameless.id)
    await page.reload()
    const row = rowOf(page, 'Hill Sports')
    await row.waitFor()
    await expect
      .poll(() => columnsOf(page))
      .toEqual([
        'Store Name',
        'Store URL',
        'Created At',
        'Status',
        'Visible Rows',
        'Last Read',
        'Actions',
      ])
    const link = row.getByRole('link', { name: /hill\.example/ })
    await expect.poll(() => link.getAttribute('href')).toBe('https://hill.example/shop')
    await expect.poll(() => link.getAttribute('target')).toBe('_blank')
    await expect.poll(() => link.getAttribute('rel')).toContain('noopener')
    await expect.poll(async () => (await readNow(cellsOf(row)))[3]).toBe('Active')
    const day = await dayOn(page, nameless.createdAt)
    await expect
      .poll(() => cellsOf(rowOf(page, 'N/A')))
      .toEqual(['N/A', 'N/A', day, 'Active', '–', 'Never', ''])

    await row.getByText('Active', { exact: true }).click()
    await page.getByRole('heading', { name: 'Hill Sports', level: 1 }).waitFor()
    await seePath(page, `${RETAILERS}/${retailer.id}`)
  })

  it('disables Add Retailer at the limit, and says why', async () => {
    const supplier = await stage.addSupplier('limited', { maxRetailers: 2 })
    await stage.addRetailer(supplier, 'limited-one')
    const { page } = await stage.openAs('limited', RETAILERS)
    await page.getByText('1 of 2 retailers in use').waitFor()
    await expect.poll(() => addButton(page).isEnabled()).toBe(true)
    await fillAddDialog(page, 'limited-two', 'Second Store')
    await create(page)
    await seeSuccess(page, 'Retailer added successfully')
    await page.getByText('2 of 2 retailers in use').waitFor()
    await page.getByText(/^Limit reached: all 2 allowed retailers are in use\./).waitFor()
    await expect.poll(() => addButton(page).isDisabled()).toBe(true)

    await page.goto(`${RETAILERS}?add=true`)
    await rowOf(page, 'Second Store').waitFor()
    await expect.poll(() => addDialog(page).count()).toBe(0)
  })
})

describe('the Add New Retailer dialog', () => {
  it('registers the login, links it and shows the store', async () => {
    const { id } = await stage.addSupplier('adder')
    const { page } = await stage.openAs('adder', RETAILERS)
    await page.getByText('No retailers yet').waitFor()
    await fillAddDialog(page, 'summit', 'Summit Sports')
    const calls = watchCalls(page)
    const linking = page.waitForRequest(/retailers\.create/)
    const registration = await inputSent(page, 'session.register', () => create(page))
    expect(registration).toMatchObject({ username: 'summit', role: 'RETAILER' })
    expect((await linking).postDataJSON()).toEqual({
      0: {
        userId: expect.any(Number),
        supplierId: id,
        storeName: 'Summit Sports',
        storeUrl: '',
        visibilitySettings: { allProducts: true, categories: [] },
      },
    })
    await seeSuccess(page, 'Retailer added successfully')
    await addDialog(page).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Summit Sports' }).waitFor()
    expect(calls.slice(0, 2)).toEqual(['session.register', 'retailers.create'])
    expect(await canSignIn(stage, 'summit', PASSWORD)).toBe(true)
  })

  it('shows an error under each invalid field and focuses the first', async () => {
    await stage.addSupplier('hasty')
    await stage.addSupplier('hasty-taken')
    const { page } = await stage.openAs('hasty', RETAILERS)
    await openDialog(page, 'Add Retailer', addDialog(page))
    await create(page)
    await addDialog(page).getByText('Store name is required').waitFor()
    await expect
      .poll(() => messagesOf(addFields(page)))
      .toEqual({
        username: 'Username is required',
        password: 'Password must be at least 6 characters',
        contactEmail: 'Invalid email address',
        storeName: 'Store name is required',
      })
    await expect.poll(() => isFocused(addFields(page).username)).toBe(true)

    await addFields(page).username.fill('Hasty-Taken')
    await addFields(page).password.fill(PASSWORD)
    await addFields(page).contactEmail.fill('a@example.com')
    await addFields(page).storeName.fill('Taken')
    await create(page)
    await seeError(page, 'This username is already taken')
    await expect
      .poll(() => messageOf(addFields(page).username))
      .toBe('This username is already taken')
    await expect.poll(() => isFocused(addFields(page).username)).toBe(true)
  })

  it('shows an error when the second call fails, and reuses the login at the next try', async () => {
    const supplier = await stage.addSupplier('second', { maxRetailers: 2 })
    await stage.addRetailer(supplier, 'second-one')
    const { page } = await stage.openAs('second', RETAILERS)
    await fillAddDialog(page, 'second-two', 'Second Store')
    const release = await holdCalls(page, 'retailers.create')
    await inputSent(page, 'retailers.create', () => create(page))
    const setLimit = (maxRetailers: number) =>
      stage.admin.send('PATCH', `/api/suppliers/${supplier.id}`, { maxRetailers })
    await setLimit(1)
    release()
    await seeError(page, 'Retailer limit reached (1 of 1)')
    await expect.poll(() => addFields(page).storeName.inputValue()).toBe('Second Store')
    expect(await listRetailers(supplier)).toHaveLength(1)
    expect(await canSignIn(stage, 'second-two', PASSWORD)).toBe(true)

    await setLimit(2)
    await addFields(page).password.fill('another-password')
    await create(page)
    await seeSuccess(page, 'Retailer added successfully')
    await page.getByRole('link', { name: 'Second Store' }).waitFor()
    expect(await canSignIn(stage, 'second-two', PASSWORD)).toBe(false)
    expect(await canSignIn(stage, 'second-two', 'another-password')).toBe(true)
  })
})

describe('the Delete Retailer dialog', () => {
  it('says what is lost, does nothing on Cancel and deletes on Delete', async () => {
    const { supplier, page, name } = await openList(stage, 'deleter', { storeName: 'Doomed Store' })
    await openDialog(page, `Delete ${name}`, deleteDialog(page))
    await deleteDialog(page)
      .getByText(
        'Are you sure you want to delete the retailer "Doomed Store"? This will permanently remove the retailer account and all associated data. This action cannot be undone.',
        { exact: true },
      )
      .waitFor()
    const cancel = deleteDialog(page).getByRole('button', { name: 'Cancel' })
    await expect.poll(() => isFocused(cancel)).toBe(true)
    await cancel.click()
    await deleteDialog(page).waitFor({ state: 'hidden' })
    expect(await listRetailers(supplier)).toHaveLength(1)

    await openDialog(page, `Delete ${name}`, deleteDialog(page))
    await deleteDialog(page).getByRole('button', { name: 'Delete' }).click()
    await seeSuccess(page, 'Retailer deleted')
    await page.getByText('No retailers yet').waitFor()
    expect(await listRetailers(supplier)).toEqual([])
    expect(await canSignIn(stage, 'deleter-shop', PASSWORD)).toBe(false)
  })

  it('shows the server’s error when the retailer was already deleted', async () => {
    const { supplier, retailer, page, name } = await openList(stage, 'twice')
    await openDialog(page, `Delete ${name}`, deleteDialog(page))
    // Of which the page would be told before anybody could press.
    await holdCalls(page, 'retailers.page')
    await supplier.rest.send('DELETE', `/api/retailers/${retailer.id}`)
    await deleteDialog(page).getByRole('button', { name: 'Delete' }).click()
    await seeError(page, 'Retailer not found')
  })

  it('restores the row and shows a fallback text when the call fails', async () => {
    const { page, name } = await openList(stage, 'undead')
    await failWithoutMessage(page, 'retailers.delete')
    await openDialog(page, `Delete ${name}`, deleteDialog(page))
    await deleteDialog(page).getByRole('button', { name: 'Delete' }).click()
    await seeError(page, 'Failed to delete retailer')
    await rowOf(page, name).waitFor()
  })
})

describe('several retailers', () => {
  it('are added from a pasted list, and sign in with the downloaded passwords', async () => {
    const { page } = await openList(stage, 'bulk', { storeName: 'First Shop' })
    await page.getByRole('button', { name: 'Add several' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add several retailers' })
    await dialog
      .getByLabel('List of retailers')
      .fill(
        'Store Name\tEmail\tUsername\nHill\thill@shop.example\tbulk-hill\nDale\td@shop.example\t',
      )
    await dialog.getByRole('button', { name: 'Check the list' }).click()
    await dialog.getByText('2 retailers can be added.').waitFor()
    await dialog.getByRole('button', { name: 'Add 2 retailers' }).click()
    await dialog.getByText('2 retailers have been added.').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download as CSV' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    const [, password = ''] = /"Hill","bulk-hill","([^"]+)"/.exec(text) ?? []
    expect(await canSignIn(stage, 'bulk-hill', password)).toBe(true)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await rowOf(page, 'Dale').waitFor()
  })
})
