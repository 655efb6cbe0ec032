import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import {
  failWithoutWords,
  holdCalls,
  inputSent,
  routeCalls,
  UNREACHABLE,
  watchCalls,
  whileOffline,
} from './calls'
import { createRestClient } from './rest-client'
import {
  cellsOf,
  choose,
  columnsOf,
  dayOn,
  isFocused,
  messageOf,
  messagesOf,
  rowOf,
  seeError,
  seePath,
  seeSuccess,
} from './screen'
import { listRetailers, PASSWORD, startStage, type Stage } from './stage'
import { seeRest } from './traffic'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const RETAILERS = '/supplier/retailers'
const addButton = (page: Page) => page.getByRole('button', { name: 'Add Retailer' })
const addDialog = (page: Page) => page.getByRole('dialog', { name: 'Add New Retailer' })
const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Retailer' })
const settingsDialog = (page: Page) => page.getByRole('dialog', { name: /^Retailer Settings/ })
const deleteDialog = (page: Page) => page.getByRole('dialog', { name: 'Delete Retailer' })
const frequency = (area: Page | Locator) => area.getByRole('combobox', { name: 'Sync Frequency' })

const addFields = (page: Page) => ({
  username: addDialog(page).getByLabel('Username'),
  password: addDialog(page).getByLabel('Password', { exact: true }),
  contactEmail: addDialog(page).getByLabel('Email'),
  storeName: addDialog(page).getByLabel('Store Name'),
})
const editFields = (page: Page) => ({
  username: editDialog(page).getByLabel('Username'),
  storeName: editDialog(page).getByLabel('Store Name'),
  storeUrl: editDialog(page).getByLabel('Store URL'),
  newPassword: editDialog(page).getByLabel('Reset Password', { exact: true }),
})
const create = (page: Page) =>
  addDialog(page).getByRole('button', { name: 'Create Retailer' }).click()
const save = (area: Page | Locator) => area.getByRole('button', { name: 'Save' }).click()

/** A supplier with one retailer, called `{username}-shop`, and its window with the list. */
async function openList(username: string, details: { storeName?: string; storeUrl?: string } = {}) {
  const supplier = await stage.addSupplier(username)
  const retailer = await stage.addRetailer(supplier, `${username}-shop`, details)
  const tab = await stage.openAs(username, RETAILERS)
  const { page } = tab
  const name = retailer.storeName ?? ''
  await rowOf(page, name).waitFor()
  return { tab, supplier, retailer, page, name }
}

async function openDialog(page: Page, button: string, dialog: Locator) {
  await page.getByRole('button', { name: button }).click()
  await dialog.waitFor()
}

async function fillAddDialog(page: Page, username: string, storeName: string) {
  await openDialog(page, 'Add Retailer', addDialog(page))
  await addFields(page).username.fill(username)
  await addFields(page).password.fill(PASSWORD)
  await addFields(page).contactEmail.fill('buyer@example.com')
  await addFields(page).storeName.fill(storeName)
}

/** A row as older products left it, without a store name. */
const forgetStoreName = (id: number) =>
  stage.write((trx) =>
    trx.updateTable('retailers').set({ storeName: null }).where('id', '=', id).execute(),
  )

async function canSignIn(username: string, password: string): Promise<boolean> {
  const rest = createRestClient(stage.product.url)
  const { status } = await rest.send('POST', '/api/login', { username, password })
  return status === 200
}

describe('the list of retailers', () => {
  it('shows stores with their links, N/A where there is none, and opens them by a click', async () => {
    const { supplier, retailer, page } = await openList('lister', {
      storeName: 'Hill Sports',
      storeUrl: 'hill.example/shop',
    })
    const nameless = await stage.addRetailer(supplier, 'lister-nameless')
    await forgetStoreName(nameless.id)
    await page.reload()
    const row = rowOf(page, 'Hill Sports')
    await row.waitFor()
    await expect
      .poll(() => columnsOf(page))
      .toEqual(['Store Name', 'Store URL', 'Created At', 'Status', 'Actions'])
    const link = row.getByRole('link', { name: /hill\.example/ })
    await expect.poll(() => link.getAttribute('href')).toBe('https://hill.example/shop')
    await expect.poll(() => link.getAttribute('target')).toBe('_blank')
    await expect.poll(() => link.getAttribute('rel')).toContain('noopener')
    await expect.poll(async () => (await cellsOf(row))[3]).toBe('Active')
    const day = await dayOn(page, nameless.createdAt)
    await expect.poll(() => cellsOf(rowOf(page, 'N/A'))).toEqual(['N/A', 'N/A', day, 'Active', ''])

    await row.getByText('Active', { exact: true }).click()
    await page.getByRole('heading', { name: 'Hill Sports', level: 1 }).waitFor()
    await seePath(page, `${RETAILERS}/${retailer.id}`)
  })

  it('adds no more than the limit, and says why', async () => {
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
  it('registers the login, links it, and shows the store', async () => {
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
    expect(await canSignIn('summit', PASSWORD)).toBe(true)
  })

  it('says under each field what is wrong, and starts at the first', async () => {
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

  it('leaves an error when the second call fails, and takes the login back at the next try', async () => {
    const supplier = await stage.addSupplier('second', { maxRetailers: 2 })
    await stage.addRetailer(supplier, 'second-one')
    const { page } = await stage.openAs('second', RETAILERS)
    await fillAddDialog(page, 'second-two', 'Second Store')
    const letGo = await holdCalls(page, 'retailers.create')
    await inputSent(page, 'retailers.create', () => create(page))
    const setLimit = (maxRetailers: number) =>
      stage.admin.send('PATCH', `/api/suppliers/${supplier.id}`, { maxRetailers })
    await setLimit(1)
    letGo()
    await seeError(page, 'Retailer limit reached (1 of 1)')
    await expect.poll(() => addFields(page).storeName.inputValue()).toBe('Second Store')
    expect(await listRetailers(supplier)).toHaveLength(1)
    expect(await canSignIn('second-two', PASSWORD)).toBe(true)

    await setLimit(2)
    await addFields(page).password.fill('another-password')
    await create(page)
    await seeSuccess(page, 'Retailer added successfully')
    await page.getByRole('link', { name: 'Second Store' }).waitFor()
    expect(await canSignIn('second-two', PASSWORD)).toBe(false)
    expect(await canSignIn('second-two', 'another-password')).toBe(true)
  })
})

describe('the Edit Retailer dialog', () => {
  it('shows the username and saves the store, with no word about the password', async () => {
    const { supplier, retailer, page, name } = await openList('editor')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    const fields = editFields(page)
    await expect.poll(() => fields.username.inputValue()).toBe('editor-shop')
    await expect.poll(() => fields.username.isEditable()).toBe(false)
    await editDialog(page).getByText('Username cannot be changed').waitFor()
    await editDialog(page).getByText('Leave empty to keep the current password').waitFor()
    await fields.storeName.fill('New Name')
    await fields.storeUrl.fill('new.example')
    const calls = watchCalls(page)
    const sent = await inputSent(page, 'retailers.updateBasicInfo', () => save(editDialog(page)))
    expect(sent).toEqual({ id: retailer.id, storeName: 'New Name', storeUrl: 'new.example' })
    await seeSuccess(page, 'Retailer updated')
    await editDialog(page).waitFor({ state: 'hidden' })
    await rowOf(page, 'New Name')
      .getByRole('link', { name: /new\.example/ })
      .waitFor()
    await seeRest(page)
    expect(calls).not.toContain('users.resetPassword')
    expect(await canSignIn('editor-shop', PASSWORD)).toBe(true)
    expect(await listRetailers(supplier)).toMatchObject([
      { storeName: 'New Name', storeUrl: 'new.example' },
    ])
  })

  it('says under each field what is wrong', async () => {
    const { page, name } = await openList('sloppy')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    const { storeName, storeUrl, newPassword } = editFields(page)
    await storeName.fill(' ')
    await storeUrl.fill('javascript:alert(1)')
    await newPassword.fill('short')
    await save(editDialog(page))
    await editDialog(page).getByText('Store name is required').waitFor()
    await expect
      .poll(() => messagesOf({ storeName, storeUrl, newPassword }))
      .toEqual({
        storeName: 'Store name is required',
        storeUrl: 'Enter a web address, for example shop.example',
        newPassword: 'Password must be at least 6 characters',
      })
    await expect.poll(() => isFocused(storeName)).toBe(true)
  })

  it('resets the password when one was typed', async () => {
    const { retailer, page, name } = await openList('resetter')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await editFields(page).newPassword.fill('brand-new-password')
    const sent = await inputSent(page, 'users.resetPassword', () => save(editDialog(page)))
    expect(sent).toEqual({ userId: retailer.userId, newPassword: 'brand-new-password' })
    await seeSuccess(page, 'Password updated successfully')
    await editDialog(page).waitFor({ state: 'hidden' })
    expect(await canSignIn('resetter-shop', PASSWORD)).toBe(false)
    expect(await canSignIn('resetter-shop', 'brand-new-password')).toBe(true)
  })

  it('says that the password reset failed when only that did', async () => {
    const { supplier, retailer, page, name } = await openList('halfdone')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await editFields(page).newPassword.fill('brand-new-password')
    const letGo = await holdCalls(page, 'users.resetPassword')
    await inputSent(page, 'users.resetPassword', () => save(editDialog(page)))
    await supplier.rest.send('DELETE', `/api/retailers/${retailer.id}`)
    letGo()
    await seeError(page, 'Password reset failed: User not found')
  })

  it('has a text for a password reset that failed without one', async () => {
    const { page, name } = await openList('wordless')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await editFields(page).newPassword.fill('brand-new-password')
    await failWithoutWords(page, 'users.resetPassword')
    await save(editDialog(page))
    await seeError(page, 'Password reset failed: Failed to reset password')
    await expect.poll(() => editDialog(page).isVisible()).toBe(true)
  })

  it('says so when the username cannot be had', async () => {
    const { supplier, retailer, page, name } = await openList('gone')
    await supplier.rest.send('DELETE', `/api/retailers/${retailer.id}`)
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await seeError(page, 'Failed to fetch user data')
    await expect.poll(() => editFields(page).username.inputValue()).toBe('Username not available')
  })

  it('stays open with what was typed when the server cannot be reached', async () => {
    const { tab, supplier, page, name } = await openList('offline')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await expect.poll(() => editFields(page).username.inputValue()).toBe('offline-shop')
    await editFields(page).storeName.fill('Never Saved')
    await whileOffline(tab, async () => {
      await save(editDialog(page))
      await seeError(page, UNREACHABLE)
      await rowOf(page, name).waitFor()
    })
    await expect.poll(() => editFields(page).storeName.inputValue()).toBe('Never Saved')
    expect(await listRetailers(supplier)).toMatchObject([{ storeName: name }])
  })

  it('shows an edit at once, and takes it back when the server refuses it', async () => {
    const { supplier, page, name } = await openList('hopeful', { storeName: 'Old Store' })
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await editFields(page).storeName.fill('Hoped For')
    let refuse: () => void = () => undefined
    const isRefused = new Promise<void>((resolve) => {
      refuse = resolve
    })
    await routeCalls(page, 'retailers.updateBasicInfo', async (route) => {
      await isRefused
      // What the form would not send: the refusal is the server's own.
      const input = (route.request().postDataJSON() as Record<string, object>)[0]
      await route.continue({ postData: { 0: { ...input, storeName: 'x'.repeat(201) } } })
    })
    await save(editDialog(page))
    await rowOf(page, 'Hoped For').waitFor()
    await expect.poll(() => rowOf(page, 'Old Store').count()).toBe(0)
    refuse()
    await seeError(page, 'Store name must be at most 200 characters')
    await rowOf(page, 'Old Store').waitFor()
    await expect.poll(() => rowOf(page, 'Hoped For').count()).toBe(0)
    await expect.poll(() => messageOf(editFields(page).storeName)).toMatch(/at most 200/)
    expect(await listRetailers(supplier)).toMatchObject([{ storeName: 'Old Store' }])
  })
})

describe('the Retailer Settings dialog', () => {
  it('names the store, explains each frequency and saves', async () => {
    const { supplier, retailer, page, name } = await openList('settler', { storeName: 'Settled' })
    await openDialog(page, `Settings of ${name}`, settingsDialog(page))
    const dialog = settingsDialog(page)
    await dialog.getByText('Settled', { exact: true }).waitFor()
    await dialog.getByText('Allow access to all products in your inventory').waitFor()
    const showAll = dialog.getByRole('switch', { name: 'Show All Products' })
    await expect.poll(() => showAll.isChecked()).toBe(true)
    await expect.poll(() => frequency(dialog).inputValue()).toBe('DAILY')
    await dialog.getByText('How often should inventory data be synced (in minutes)').waitFor()
    await choose(dialog, 'Sync Frequency', 'UNLIMITED (real-time)')
    await dialog.getByText('Get real-time inventory updates without restrictions').waitFor()
    await expect.poll(() => dialog.getByText('How often should inventory').count()).toBe(0)
    const sent = await inputSent(page, 'retailers.update', () => save(dialog))
    expect(sent).toMatchObject({
      id: retailer.id,
      syncFrequency: 0,
      visibilitySettings: { allProducts: true },
    })
    expect(sent).not.toHaveProperty('connectionType')
    await seeSuccess(page, 'Settings updated successfully')
    await dialog.waitFor({ state: 'hidden' })
    expect(await listRetailers(supplier)).toMatchObject([{ syncFrequency: 0 }])
  })

  it('leaves everything as it was on Cancel', async () => {
    const { supplier, page, name } = await openList('waverer')
    await openDialog(page, `Settings of ${name}`, settingsDialog(page))
    await choose(settingsDialog(page), 'Sync Frequency', 'HOURLY')
    await settingsDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await settingsDialog(page).waitFor({ state: 'hidden' })
    await openDialog(page, `Settings of ${name}`, settingsDialog(page))
    await expect.poll(() => frequency(settingsDialog(page)).inputValue()).toBe('DAILY')
    expect(await listRetailers(supplier)).toMatchObject([{ syncFrequency: 1440 }])
  })

  it('shows the server’s message when the retailer is gone', async () => {
    const { supplier, retailer, page, name } = await openList('latecomer')
    await openDialog(page, `Settings of ${name}`, settingsDialog(page))
    await supplier.rest.send('DELETE', `/api/retailers/${retailer.id}`)
    await save(settingsDialog(page))
    await seeError(page, 'Retailer not found')
    await page.getByText('No retailers yet').waitFor()
  })
})

describe('the settings page of a retailer', () => {
  it('wants a stored 0 changed before it saves', async () => {
    const { supplier, retailer, page } = await openList('pager', { storeName: 'Paged Store' })
    await supplier.rest.send('PATCH', `/api/retailers/${retailer.id}`, { syncFrequency: 0 })
    await page.goto(`${RETAILERS}/${retailer.id}`)
    await page.getByRole('heading', { name: 'Paged Store', level: 1 }).waitFor()
    await page.getByText('Get real-time inventory updates without restrictions').waitFor()
    const calls = watchCalls(page)
    await save(page)
    await expect.poll(() => messageOf(frequency(page))).toBe('Sync frequency must be at least 1')
    await seeRest(page)
    expect(calls).toEqual([])

    await choose(page, 'Sync Frequency', 'TWELVE HOURS')
    await page.getByText('How often should inventory data be synced (in minutes)').waitFor()
    await expect.poll(() => messageOf(frequency(page))).toBe('')
    const sent = await inputSent(page, 'retailers.update', () => save(page))
    expect(sent).toMatchObject({
      id: retailer.id,
      syncFrequency: 720,
      connectionType: 'URL',
      fileFormat: 'CSV',
    })
    await seeSuccess(page, 'Settings updated successfully')
    expect(await listRetailers(supplier)).toMatchObject([{ syncFrequency: 720 }])
    await frequency(page).click()
    await expect.poll(() => page.getByRole('option', { name: /UNLIMITED/ }).count()).toBe(0)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await rowOf(page, 'Paged Store').waitFor()
    await seePath(page, RETAILERS)
  })

  it('names what is coming soon', async () => {
    const { retailer, page } = await openList('soon')
    await page.goto(`${RETAILERS}/${retailer.id}`)
    const see = async (label: string, usable: string, others: string[]) => {
      const select = page.getByRole('combobox', { name: label })
      await select.click()
      for (const name of others) {
        const option = page.getByRole('option', { name: `${name} Coming Soon` })
        await expect.poll(() => option.isDisabled(), { message: name }).toBe(true)
      }
      const option = page.getByRole('option', { name: usable, exact: true })
      await expect.poll(() => option.isEnabled()).toBe(true)
      await page.keyboard.press('Escape')
      await expect.poll(() => select.inputValue()).toBe(usable)
    }
    await see('Data Delivery Method', 'URL', ['FTP', 'EMAIL', 'DATABASE'])
    await see('File Format', 'CSV', ['EXCEL', 'XML'])
  })

  it('is called Unnamed Retailer without a store name', async () => {
    const { retailer, page } = await openList('unnamed')
    await forgetStoreName(retailer.id)
    await page.goto(`${RETAILERS}/${retailer.id}`)
    await page.getByRole('heading', { name: 'Unnamed Retailer', level: 1 }).waitFor()
  })

  it('of somebody else’s retailer is not found, and leads back', async () => {
    const other = await openList('neighbour')
    const { page } = await openList('visitor')
    for (const id of [other.retailer.id, 987_654, 'nonsense']) {
      await page.goto(`${RETAILERS}/${id}`)
      await page.getByText('Retailer not found', { exact: true }).waitFor()
    }
    await page.getByRole('link', { name: 'Back to Retailers' }).click()
    await rowOf(page, 'visitor-shop store').waitFor()
  })
})

describe('the Delete Retailer dialog', () => {
  it('says what is lost, does nothing on Cancel, and deletes on Delete', async () => {
    const { supplier, page, name } = await openList('deleter', { storeName: 'Doomed Store' })
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
    expect(await canSignIn('deleter-shop', PASSWORD)).toBe(false)
  })

  it('shows the server’s message when the retailer is gone already', async () => {
    const { supplier, retailer, page, name } = await openList('twice')
    await openDialog(page, `Delete ${name}`, deleteDialog(page))
    await supplier.rest.send('DELETE', `/api/retailers/${retailer.id}`)
    await deleteDialog(page).getByRole('button', { name: 'Delete' }).click()
    await seeError(page, 'Retailer not found')
  })

  it('gives the row back when the call fails, with a text of its own', async () => {
    const { page, name } = await openList('undead')
    await failWithoutWords(page, 'retailers.delete')
    await openDialog(page, `Delete ${name}`, deleteDialog(page))
    await deleteDialog(page).getByRole('button', { name: 'Delete' }).click()
    await seeError(page, 'Failed to delete retailer')
    await rowOf(page, name).waitFor()
  })
})
