import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { SAMPLE_CSV, SAMPLE_FILE_NAME } from '../../shared/sample-file'
import {
  addDialog,
  fieldsOf,
  health,
  openAddDialog,
  previewDialog,
  valueOf,
} from '../support/connection-screens'
import { choose, seeSuccess } from '../support/screen'
import { readConnection, startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/odd.csv', { body: 'sku,title,on the shelf\nA1,Boot,3\nA2,Hat,0\n' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

describe('the columns of a file', () => {
  it('are told in its preview, chosen there, and saved with the connection', async () => {
    const page = await openAddDialog(stage, 'shelf')
    const fields = fieldsOf(addDialog(page))
    await fields.name.fill('Shelf')
    await fields.url.fill(stage.sourceServer.url('/odd.csv'))
    await fields.preview.click()
    const preview = previewDialog(page)
    await preview.getByRole('columnheader', { name: 'sku SKU' }).waitFor()
    await preview.getByText('No quantity was found', { exact: true }).waitFor()
    await expect.poll(() => valueOf(preview, 'Quantity')).toBe('None found')
    await choose(preview, 'Quantity', 'on the shelf')
    await preview.getByRole('columnheader', { name: 'on the shelf Quantity' }).waitFor()
    await expect.poll(() => valueOf(preview, 'Quantity')).toBe('on the shelf')
    await expect.poll(() => preview.getByText('No quantity was found').count()).toBe(0)
    await preview.getByRole('button', { name: 'Use this file' }).click()
    await addDialog(page).getByText('Quantity on the shelf', { exact: true }).waitFor()
    await addDialog(page).getByRole('button', { name: 'Create Connection' }).click()
    await health(page, 'Shelf').waitFor()
    const columns = page.getByRole('region', { name: 'Columns', exact: true })
    await expect.poll(() => valueOf(columns, 'Quantity')).toBe('on the shelf')
    await page.getByRole('button', { name: 'Edit', exact: false }).first().click()
    await page
      .getByRole('dialog', { name: 'Edit Connection' })
      .getByText('Quantity on the shelf', { exact: true })
      .waitFor()
  })
})

describe('the sample file', () => {
  it('is read, published, and gives way to the first own file', async () => {
    const supplier = await stage.addSupplier('curious')
    const { page } = await stage.openAs('curious', '/supplier')
    await page.getByRole('link', { name: 'Try with a sample file' }).click()
    const preview = page.getByRole('dialog', { name: 'File Preview' })
    await preview.getByText(/a sample that comes with Stockbridge/).waitFor()
    await preview.getByRole('columnheader', { name: 'quantity Quantity' }).waitFor()
    await preview.getByRole('button', { name: 'Use the sample' }).click()
    await addDialog(page).getByRole('button', { name: 'Create and send' }).click()
    await seeSuccess(page, 'Connection created. Your file is being read.')
    await page.getByText('This is the sample', { exact: true }).waitFor()
    const { id } = await readConnection(supplier)
    const received = await supplier.rest.send('GET', `/api/connections/${id}/received-files`)
    const rows = SAMPLE_CSV.trim().split('\r\n').length - 1
    expect(received.body).toMatchObject([{ state: 'published', rows }])
    await page.locator('input[type=file][aria-label="Send a file"]').setInputFiles({
      name: 'own.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('article,stock\nX-1,3\nX-2,5\n'),
    })
    const files = page.getByRole('list', { name: 'Files that were sent' })
    const own = files.getByRole('listitem').filter({ hasText: 'own.csv' })
    await own.getByText('Published', { exact: true }).waitFor()
    await files.getByText(SAMPLE_FILE_NAME, { exact: true }).waitFor()
    await expect.poll(() => page.getByText('This is the sample').count()).toBe(0)
  })

  it('is offered in Add Connection, beside the ways to an own file', async () => {
    const page = await openAddDialog(stage, 'browsing')
    await addDialog(page)
      .getByRole('button', { name: /Try with a sample file/ })
      .click()
    const preview = page.getByRole('dialog', { name: 'File Preview' })
    await preview.getByRole('cell', { name: 'SAMPLE-001' }).waitFor()
    await page.keyboard.press('Escape')
    await preview.waitFor({ state: 'hidden' })
    await expect.poll(() => fieldsOf(addDialog(page)).name.inputValue()).toBe('Sample inventory')
  })
})
