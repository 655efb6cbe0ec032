import { readFile } from 'node:fs/promises'

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { ConnectionType } from '../shared/constants'
import type { LatestFile } from '../shared/schemas/file'
import type { Retailer } from '../shared/schemas/retailer'
import {
  failWithoutWords,
  holdCalls,
  inputSent,
  routeCalls,
  watchCalls,
  whileOffline,
} from './calls'
import { ADMIN_PASSWORD } from './product'
import { createRestClient, until } from './rest-client'
import {
  choose,
  columnsOf,
  isFocused,
  messageOf,
  seeError,
  seeHeading,
  seePath,
  seeSuccess,
  seeToast,
} from './screen'
import { PASSWORD, startStage, type Stage, type Supplier } from './stage'
import { seeRest } from './traffic'

const DASHBOARD = '/retailer'
const PREVIEW = '/retailer/inventory'
const SETTINGS = '/retailer/settings'
const HEAD = 'sku,name,category\n'
const ROWS = [
  ...Array.from({ length: 9 }, (_, index) => `B${index},Boot ${index},Boots`),
  'H1,"Hat, wool",Hats',
  'H2,Cap,Hats',
  'T1,Tent,Tents',
]
const CSV = `${HEAD}${ROWS.join('\n')}\n`

let stage: Stage
let northbeck: Supplier
let summit: Retailer
/** A supplier whose only file has exactly so many bytes, with a retailer of its own. */
async function addRetailerOfFile(name: string, sizeBytes: number) {
  const row = `A1,${'x'.repeat(60)},Boots\n`
  const rows = row.repeat(Math.max(0, Math.floor((sizeBytes - HEAD.length) / row.length) - 1))
  const rest = sizeBytes - HEAD.length - rows.length
  const body = `${HEAD}${rows}A2,${'y'.repeat(rest - 'A2,,Boots\n'.length)},Boots\n`
  expect(body.length).toBe(sizeBytes)
  stage.feedServer.set(`/${name}.csv`, { body })
  const supplier = await stage.addSupplier(`${name}-supplier`)
  await stage.addConnection(supplier, { name, url: stage.feedServer.url(`/${name}.csv`) })
  await stage.addRetailer(supplier, name)
}

beforeAll(async () => {
  stage = await startStage()
  stage.feedServer.set('/inventory.csv', { body: CSV })
  northbeck = await stage.addSupplier('northbeck', { companyName: 'Northbeck Outdoor' })
  await stage.addConnection(northbeck, {
    name: 'Outdoor catalogue',
    url: stage.feedServer.url('/inventory.csv'),
  })
  summit = await stage.addRetailer(northbeck, 'summit', {
    storeName: 'Summit Sports',
    storeUrl: 'summit.example',
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const inventoryData = (page: Page) => page.getByRole('region', { name: 'Inventory Data' })
const preview = (page: Page) => page.getByRole('region', { name: 'Inventory Preview' })
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const method = (page: Page) => page.getByRole('combobox', { name: 'Delivery Method' })
const format = (page: Page) => page.getByRole('combobox', { name: 'File Format' })
const loading = (page: Page) => page.getByRole('status', { name: 'Loading the file' })

const storedType = (id: number, connectionType: ConnectionType) =>
  stage.write((trx) =>
    trx.updateTable('retailers').set({ connectionType }).where('id', '=', id).execute(),
  )

/** The first cells of the rows below the head. */
async function skusShown(page: Page): Promise<string[]> {
  const rows = await preview(page).getByRole('table').getByRole('row').all()
  const cells = rows.slice(1).map((row) => row.getByRole('cell').first().innerText())
  return Promise.all(cells)
}

describe('the dashboard', () => {
  it('says who delivers to which store, with a link to its website', async () => {
    const { page } = await stage.openAs('summit', DASHBOARD)
    await page.getByText('Connected to Northbeck Outdoor', { exact: true }).waitFor()
    await page.getByText('Summit Sports', { exact: true }).waitFor()
    const link = page.getByRole('link', { name: 'summit.example' })
    await expect.poll(() => link.getAttribute('href')).toBe('https://summit.example/')
    await expect.poll(() => link.getAttribute('rel')).toContain('noopener')
  })

  it('falls back to Supplier and Not configured, without a link', async () => {
    const nameless = await stage.addSupplier('nameless')
    const retailer = await stage.addRetailer(nameless, 'storeless')
    await stage.write(async (trx) => {
      await trx
        .updateTable('users')
        .set({ companyName: null })
        .where('id', '=', nameless.id)
        .execute()
      await trx
        .updateTable('retailers')
        .set({ storeName: null })
        .where('id', '=', retailer.id)
        .execute()
    })
    const { page } = await stage.openAs('storeless', DASHBOARD)
    await page.getByText('Connected to Supplier', { exact: true }).waitFor()
    await page.getByText('Not configured', { exact: true }).waitFor()
    await expect
      .poll(() =>
        page
          .getByRole('main')
          .getByRole('link', { name: /opens in a new tab/ })
          .count(),
      )
      .toBe(0)
  })

  it('says so while there is no file', async () => {
    const empty = await stage.addSupplier('empty')
    await stage.addRetailer(empty, 'waiting')
    const { page } = await stage.openAs('waiting', DASHBOARD)
    await inventoryData(page).getByText('No file is available yet').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Download' }).count()).toBe(0)
  })

  it('says so to a login that no supplier has linked', async () => {
    const body = { username: 'unlinked', password: PASSWORD, role: 'RETAILER' }
    expect((await northbeck.rest.send('POST', '/api/register', body)).status).toBe(201)
    const { page } = await stage.openAs('unlinked', DASHBOARD)
    await page.getByText('No retailer data available').waitFor()
  })

  it('shows the latest file with its name, date and size, and downloads it', async () => {
    const { page } = await stage.openAs('summit', DASHBOARD)
    const card = inventoryData(page)
    await card.getByText(`${(CSV.length / 1024).toFixed(2)} KB`, { exact: true }).waitFor()
    await card.getByText('12 rows', { exact: true }).waitFor()
    await card.getByText('Data as of', { exact: false }).waitFor()
    const cardText = () => card.innerText()
    await expect.poll(cardText).toMatch(/\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d\d:\d\d/)
    await expect.poll(cardText).not.toContain('connection_')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toBe(CSV)
  })

  it('gives sizes in KB with two decimals, and in MB from 1024 KB', async () => {
    await addRetailerOfFile('small', 1_536)
    await addRetailerOfFile('nearly', 1_000 * 1_024)
    await addRetailerOfFile('large', 1_024 * 1_024)
    for (const [username, size] of [
      ['small', '1.50 KB'],
      ['nearly', '1000.00 KB'],
      ['large', '1.00 MB'],
    ] as const) {
      const { page } = await stage.openAs(username, DASHBOARD)
      await inventoryData(page).getByText(size, { exact: true }).waitFor()
    }
  })

  it('says when the file cannot be looked up, and tries again', async () => {
    const { page } = await stage.openAs('summit', 'about:blank')
    await failWithoutWords(page, 'retailers.latestFile')
    await page.goto(DASHBOARD)
    await seeError(page, 'Failed to fetch file info')
    const failure = inventoryData(page).getByRole('alert')
    await failure.getByText('Failed to fetch file info').waitFor()
    await page.unrouteAll()
    await failure.getByRole('button', { name: 'Try Again' }).click()
    await inventoryData(page).getByText('12 rows').waitFor()
  })

  it('says when the store cannot be loaded, and tries again', async () => {
    const { page } = await stage.openAs('summit', 'about:blank')
    await failWithoutWords(page, 'retailers.own')
    await page.goto(DASHBOARD)
    await page.getByText('Your store could not be loaded').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await page.getByText('Connected to Northbeck Outdoor').waitFor()
  })
})

describe('the delivery preferences', () => {
  it('have no Save while nothing differs, and name what is coming soon', async () => {
    const { page } = await stage.openAs('summit', DASHBOARD)
    await page.getByText('Download via secure URL', { exact: true }).waitFor()
    await expect.poll(() => saveButton(page).count()).toBe(0)
    for (const [field, soon, usable] of [
      [method(page), ['FTP', 'EMAIL', 'DATABASE'], 'URL'],
      [format(page), ['EXCEL', 'XML'], 'CSV'],
    ] as const) {
      await field.click()
      for (const name of soon) {
        const option = page.getByRole('option', { name: `${name} Coming Soon`, exact: true })
        await option.click({ force: true })
        await expect.poll(() => option.getAttribute('data-combobox-disabled')).toBe('true')
      }
      await expect.poll(() => field.inputValue()).toBe(usable)
      await page.getByRole('option', { name: usable, exact: true }).click()
    }
    await expect.poll(() => saveButton(page).count()).toBe(0)
  })

  it.each([
    ['FTP', 'Available on FTP server at /inventory'],
    ['EMAIL', 'Sent to your registered email'],
    ['DATABASE', 'Available in your connected database'],
  ] as const)(
    'hint at a stored %s, and Save is there only while it was changed',
    async (type, hint) => {
      await storedType(summit.id, type)
      const { page } = await stage.openAs('summit', DASHBOARD)
      await page.getByText(hint, { exact: true }).waitFor()
      await expect.poll(() => saveButton(page).count()).toBe(0)
      await choose(page, 'Delivery Method', 'URL')
      await page.getByText('Download via secure URL', { exact: true }).waitFor()
      const sent = await inputSent(page, 'retailers.updateDeliveryPreferences', () =>
        saveButton(page).click(),
      )
      expect(sent).toEqual({ id: summit.id, connectionType: 'URL', fileFormat: 'CSV' })
      const text = 'Your delivery preferences have been updated successfully'
      await seeToast(page, 'status', 'Settings updated', text)
      await saveButton(page).waitFor({ state: 'detached' })
      await page.reload()
      await page.getByText('Download via secure URL', { exact: true }).waitFor()
      await expect.poll(() => method(page).inputValue()).toBe('URL')
    },
  )

  it('keep the change and its Save when the server refuses it', async () => {
    await storedType(summit.id, 'FTP')
    const { page } = await stage.openAs('summit', DASHBOARD)
    await choose(page, 'Delivery Method', 'URL')
    await failWithoutWords(page, 'retailers.updateDeliveryPreferences')
    await saveButton(page).click()
    await seeError(page, 'Something went wrong')
    await page.unrouteAll()
    await saveButton(page).click()
    await saveButton(page).waitFor({ state: 'detached' })
  })
})

describe('Inventory Preview', () => {
  it('says where the data comes from', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    const card = page.getByRole('region', { name: 'Data Source' })
    await card.waitFor()
    const [terms, values] = [card.getByRole('term'), card.getByRole('definition')]
    await expect
      .poll(() => terms.allInnerTexts())
      .toEqual(['Connection Type', 'File Format', 'Sync Frequency', 'Store Name'])
    await expect
      .poll(() => values.allInnerTexts())
      .toEqual(['URL', 'CSV', 'Daily', 'Summit Sports'])
  })

  it('shows the head and ten rows, and how many there are', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    await page.getByText('Showing 10 of 12 rows', { exact: true }).waitFor()
    await expect.poll(() => columnsOf(preview(page))).toEqual(['#', 'sku', 'name', 'category'])
    await expect
      .poll(() => skusShown(page))
      .toEqual(ROWS.slice(0, 10).map((row) => row.split(',')[0]))
    await page.getByRole('cell', { name: 'Hat, wool', exact: true }).waitFor()
  })

  it('downloads the full file under a name of its own', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download Full File' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
    expect(await readFile(await download.path(), 'utf8')).toBe(CSV)
  })

  it('shows only the rows and gives only the file that a restricted retailer may see', async () => {
    const { id } = await stage.addRetailer(northbeck, 'hatter')
    const visibilitySettings = { allProducts: false, categories: ['Hats'] }
    await northbeck.rest.send('PATCH', `/api/retailers/${id}`, { visibilitySettings })
    const hatter = createRestClient(stage.product.url)
    await hatter.signIn('hatter', PASSWORD)
    await until<LatestFile>(
      async () => (await hatter.send('GET', `/api/retailers/${id}/latest-file`)).body,
      (file) => 'fileName' in file,
    )
    const { page } = await stage.openAs('hatter', PREVIEW)
    await page.getByText('Showing 2 of 2 rows', { exact: true }).waitFor()
    await expect.poll(() => skusShown(page)).toEqual(['H1', 'H2'])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download Full File' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toBe(`${HEAD}H1,"Hat, wool",Hats\nH2,Cap,Hats\n`)
    await expect.poll(() => page.locator('body').innerText()).not.toMatch(/Boot|Tent/)
  })

  it('has bones while it loads, and Refresh shows what was published meanwhile', async () => {
    const fast = await stage.addSupplier('fast')
    stage.feedServer.set('/fast.csv', { body: `${HEAD}F1,First,Boots\n` })
    const url = stage.feedServer.url('/fast.csv')
    const connection = await stage.addConnection(fast, { name: 'Fast', url })
    const { id } = await stage.addRetailer(fast, 'eager')
    await fast.rest.send('PATCH', `/api/retailers/${id}`, { syncFrequency: 0 })
    const { page } = await stage.openAs('eager', 'about:blank')
    const letGo = await holdCalls(page, 'retailers.inventory')
    await page.goto(PREVIEW)
    await loading(page).waitFor()
    letGo()
    await page.getByText('Showing 1 of 1 rows', { exact: true }).waitFor()

    stage.feedServer.set('/fast.csv', { body: `${HEAD}F1,First,Boots\nF2,Second,Boots\n` })
    await fast.rest.send('POST', `/api/connections/${connection.id}/sync`)
    await until<{ files: unknown[] }>(
      async () => (await fast.rest.send('GET', `/api/connections/${connection.id}/files`)).body,
      ({ files }) => files.length === 2,
    )
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('Showing 2 of 2 rows', { exact: true }).waitFor()
    await expect.poll(() => skusShown(page)).toEqual(['F1', 'F2'])
  })

  it('says so when there is no file', async () => {
    const bare = await stage.addSupplier('bare')
    await stage.addRetailer(bare, 'patient')
    const { page } = await stage.openAs('patient', PREVIEW)
    await preview(page).getByText('No file is available yet').waitFor()
    await expect.poll(() => page.getByText('Download Full File').count()).toBe(0)
    await expect.poll(() => page.getByText(/^Showing/).count()).toBe(0)
  })

  it('says when the rows cannot be loaded, and Try Again brings them', async () => {
    const window = await stage.openAs('summit', PREVIEW)
    const { page } = window
    await page.getByText('Showing 10 of 12 rows').waitFor()
    await whileOffline(window, async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      await seeToast(page, 'alert', 'Error loading CSV data', 'Failed to load CSV data')
      await preview(page).getByText('Could not load inventory data preview').waitFor()
    })
    await preview(page).getByRole('button', { name: 'Try Again' }).click()
    await page.getByText('Showing 10 of 12 rows').waitFor()
    await expect.poll(() => page.getByText('Could not load inventory data preview').count()).toBe(0)
  })

  it('says when the file is not found', async () => {
    const { page } = await stage.openAs('summit', 'about:blank')
    await routeCalls(page, 'retailers.inventory', (route) => {
      const data = { code: 'NOT_FOUND', httpStatus: 404 }
      return route.fulfill({
        json: [{ error: { message: 'File not found', code: -32_004, data } }],
      })
    })
    await page.goto(PREVIEW)
    await seeError(page, 'Failed to fetch latest file information')
    await preview(page).getByText('File not found').waitFor()
    await preview(page).getByRole('button', { name: 'Try Again' }).waitFor()
  })

  it('saves nothing and says so when the file cannot be had', async () => {
    const window = await stage.openAs('summit', PREVIEW)
    const { page } = window
    const download = page.getByRole('link', { name: 'Download Full File' })
    await download.waitFor()
    const downloads: unknown[] = []
    page.on('download', (started) => downloads.push(started))
    await whileOffline(window, async () => {
      await download.click()
      await seeError(page, 'Failed to download CSV file')
    })
    expect(downloads).toEqual([])
    await seePath(page, PREVIEW)
  })

  it('leads to /auth when the session has ended before a download', async () => {
    const { page } = await stage.openAs('summit', PREVIEW)
    const download = page.getByRole('link', { name: 'Download Full File' })
    await download.waitFor()
    await page.context().clearCookies()
    await download.click()
    await seePath(page, '/auth')
    await seeHeading(page, 'Login')
  })
})

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

  it('show the store, change it and say so', async () => {
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

  it('refuse a store without a name and an address that is none', async () => {
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
    await storeDialog(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit Store Information' }).click()
    await expect.poll(() => fields.name.inputValue()).toBe('Summit Sports')
    await seeRest(page)
    expect(calls).not.toContain('retailers.updateStoreInfo')
  })

  it('keep what was typed when the store could not be saved', async () => {
    const { page } = await stage.openAs('summit', SETTINGS)
    await page.getByRole('button', { name: 'Edit Store Information' }).click()
    await storeFields(page).name.fill('Another name')
    await failWithoutWords(page, 'retailers.updateStoreInfo')
    await storeFields(page).save.click()
    await seeError(page, 'Something went wrong')
    await expect.poll(() => storeFields(page).name.inputValue()).toBe('Another name')
  })

  it('have a message for each mistake in the passwords', async () => {
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
    await seeRest(page)
    expect(calls).not.toContain('session.changePassword')
  })

  it('refuse a wrong current password, under its field', async () => {
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
  ])('change the password of %s, and end its other sessions only', async (username, path, old) => {
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

  it('of an administrator have no store, and do not ask for one', async () => {
    const { page } = await stage.openAs('admin', 'about:blank')
    const calls = watchCalls(page)
    await page.goto('/dashboard/super-admin/settings')
    await page.getByRole('heading', { name: 'Security' }).waitFor()
    await seeRest(page)
    await expect.poll(() => page.getByText('Store Information').count()).toBe(0)
    expect(calls).not.toContain('retailers.own')
  })
})
