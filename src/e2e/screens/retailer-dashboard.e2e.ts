import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { ConnectionType } from '../../shared/constants'
import type { Retailer } from '../../shared/schemas/retailer'
import { failWithoutMessage, inputSent } from '../support/calls'
import type { Page } from '../support/page'
import { CSV, HEAD, startRetailerStage } from '../support/retailer-stage'
import { choose, seeError, seeToast } from '../support/screen'
import { PASSWORD, type Stage, type Supplier } from '../support/stage'

const DASHBOARD = '/retailer'

let stage: Stage
let northbeck: Supplier
let summit: Retailer

/** Creates a retailer, named `name`, whose file has exactly `sizeBytes`. */
async function addRetailerOfFile(name: string, sizeBytes: number) {
  const row = `A1,${'x'.repeat(60)},Boots\n`
  const rows = row.repeat(Math.max(0, Math.floor((sizeBytes - HEAD.length) / row.length) - 1))
  const rest = sizeBytes - HEAD.length - rows.length
  const body = `${HEAD}${rows}A2,${'y'.repeat(rest - 'A2,,Boots\n'.length)},Boots\n`
  expect(body.length).toBe(sizeBytes)
  stage.sourceServer.set(`/${name}.csv`, { body })
  const supplier = await stage.addSupplier(`${name}-supplier`)
  await stage.addConnection(supplier, { name, url: stage.sourceServer.url(`/${name}.csv`) })
  await stage.addRetailer(supplier, name)
}

beforeAll(async () => {
  ;({ stage, northbeck, summit } = await startRetailerStage())
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const inventoryData = (page: Page) => page.getByRole('region', { name: 'Inventory Data' })
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const method = (page: Page) => page.getByRole('combobox', { name: 'Delivery Method' })
const format = (page: Page) => page.getByRole('combobox', { name: 'File Format' })
const storedType = (id: number, connectionType: ConnectionType) =>
  stage.write((trx) =>
    trx.updateTable('retailers').set({ connectionType }).where('id', '=', id).execute(),
  )

describe('the dashboard', () => {
  it('names the supplier and the store, with a link to its website', async () => {
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

  it('says when there is no file yet', async () => {
    const empty = await stage.addSupplier('empty')
    await stage.addRetailer(empty, 'waiting')
    const { page } = await stage.openAs('waiting', DASHBOARD)
    await inventoryData(page).getByText('No file is available yet').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Download' }).count()).toBe(0)
  })

  it('says when the login is not linked to a supplier', async () => {
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
    await expect.poll(cardText).toMatch(/[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M/)
    await expect.poll(cardText).not.toContain('connection_')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toBe(CSV)
  })

  it('shows sizes in KB with two decimals, and in MB from 1024 KB', async () => {
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

  it('shows an error when the latest file cannot be loaded, and retries', async () => {
    const { page } = await stage.openAs('summit', 'about:blank')
    await failWithoutMessage(page, 'retailers.latestFile')
    await page.goto(DASHBOARD)
    await seeError(page, 'Failed to fetch file info')
    const failure = inventoryData(page).getByRole('alert')
    await failure.getByText('Failed to fetch file info').waitFor()
    await page.unrouteAll()
    await failure.getByRole('button', { name: 'Try Again' }).click()
    await inventoryData(page).getByText('12 rows').waitFor()
  })

  it('shows an error when the store cannot be loaded, and retries', async () => {
    const { page } = await stage.openAs('summit', 'about:blank')
    await failWithoutMessage(page, 'retailers.own')
    await page.goto(DASHBOARD)
    await page.getByText('Your store could not be loaded').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await page.getByText('Connected to Northbeck Outdoor').waitFor()
  })
})

describe('the delivery preferences', () => {
  it('have no Save button while unchanged, and list unsupported options as Coming Soon', async () => {
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
    'show the hint of a stored %s, and Save only while it is changed',
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
    await failWithoutMessage(page, 'retailers.updateDeliveryPreferences')
    await saveButton(page).click()
    await seeError(page, 'Something went wrong')
    await page.unrouteAll()
    await saveButton(page).click()
    await saveButton(page).waitFor({ state: 'detached' })
  })
})
