import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import type { Page } from '../support/page'
import { readConnection, startStage, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let northbeck: Supplier

beforeAll(async () => {
  stage = await startStage()
  northbeck = await stage.addSupplier('northbeck', { companyName: 'Northbeck Outdoor' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const panel = (page: Page, name: string) => page.getByRole('region', { name })
const file = (name: string, content: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
})
const choose = (page: Page, label: string, chosen: ReturnType<typeof file>) =>
  page.locator(`input[type=file][aria-label="${label}"]`).setInputFiles(chosen)

const rows = Array.from({ length: 40 }, (_, item) => `NB-${item},Boot ${item},5\n`)
const FULL = `sku,name,qty\n${rows.join('')}`
const removing = Array.from({ length: 30 }, (_, item) => `NB-${item},,delete\n`)

it('a supplier whose files have only what has changed sees what each does, and what is missing', async () => {
  const { page } = await stage.openAs('northbeck', '/supplier/connections')
  await page.getByRole('button', { name: 'Add Connection' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Connection' })
  await dialog.getByRole('button', { name: 'No address? Send the file instead.' }).click()
  await choose(page, 'Your file', file('stock.csv', FULL))
  await dialog.getByRole('switch', { name: 'Each file has only what has changed' }).click()
  await dialog.getByRole('textbox', { name: 'Column that removes items' }).fill('action')
  await dialog.getByRole('button', { name: 'Create and send' }).click()
  await dialog.getByText('Enter the value that removes an item').waitFor()
  await dialog.getByRole('textbox', { name: 'Its value for those items' }).fill('delete')
  await dialog.getByRole('button', { name: 'Create and send' }).click()
  const files = panel(page, 'Send a file')
  await files.getByText(/40 rows/).waitFor()

  await choose(
    page,
    'Choose a file to preview',
    file('changes.csv', 'sku,qty,action\nNB-1,9,\nNB-2,,delete\n'),
  )
  const preview = page.getByRole('dialog', { name: 'File Preview' })
  await preview.getByText('Update of 2 items: 1 changed, 1 removed').waitFor()
  await preview.getByRole('button', { name: 'Send this file' }).click()
  await files.getByText('changes.csv').waitFor()
  await page.getByText('By an update of 2 items: 1 changed, 1 removed').first().waitFor()

  await choose(page, 'Send a file', file('more.csv', `sku,qty,action\n${removing.join('')}`))
  await files.getByText('Held', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page
    .getByText(/^Changes may be missing since/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'The next file is a full one' }).first().click()
  await expect.poll(async () => (await readConnection(northbeck)).updates?.nextIsFull).toBe(true)
  await choose(page, 'Send a file', file('again.csv', FULL))
  await files.getByText('again.csv').waitFor()
  await expect.poll(async () => (await readConnection(northbeck)).updates?.gap).toBeNull()
})
