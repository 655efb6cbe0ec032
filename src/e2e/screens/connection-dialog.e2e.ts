import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../shared/automatic-reading'
import { failWithoutMessage, inputSent } from '../support/calls'
import {
  addDialog,
  previewDialog,
  fieldsOf,
  openAddDialog,
  openConnected,
} from '../support/connection-screens'
import { readNow, type Locator, type Page } from '../support/page'
import { choose, isFocused, messageOf, rowOf, seeError, seeSuccess } from '../support/screen'
import { readConnection, startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/good.csv', {
    body: 'sku,name,category\nA1,Boot,Shoes\nA2,Hat,Headwear\n',
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Connection' })

async function openEditDialog(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  await editDialog(page).waitFor()
  return editDialog(page)
}

/** Values of computed styles of a field. */
const looksOf = (field: Locator) =>
  field.evaluate((node) => ({
    border: getComputedStyle(node).borderColor,
    placeholder: getComputedStyle(node, '::placeholder').color,
  }))

describe('the connection dialog', () => {
  it('shows the focus and the placeholder of a field also while it has an error', async () => {
    const page = await openAddDialog(stage, 'looks')
    const { name, url } = fieldsOf(addDialog(page))
    await expect.poll(() => isFocused(name)).toBe(true)
    const { border } = await looksOf(name)
    const { placeholder } = await looksOf(url)
    await addDialog(page).getByRole('button', { name: 'Create Connection' }).click()
    await expect.poll(() => messageOf(url)).not.toBe('')
    await expect.poll(() => isFocused(name)).toBe(true)
    await expect.poll(async () => (await looksOf(name)).border).toBe(border)
    const withError = await looksOf(url)
    expect(withError.placeholder).toBe(placeholder)
    expect(withError.border).not.toBe(border)
  })

  it('lists unsupported options as Coming Soon and does not let them be chosen', async () => {
    const page = await openAddDialog(stage, 'soon')
    const { type, fileFormat, syncFrequency } = fieldsOf(addDialog(page))
    await expect.poll(() => syncFrequency.inputValue()).toBe('DAILY')
    await type.click()
    await expect
      .poll(() => optionsOf(page))
      .toEqual([
        ['URL', false],
        ['FTP Coming Soon', true],
        ['EMAIL Coming Soon', true],
        ['DATABASE Coming Soon', true],
      ])
    await page.getByRole('option', { name: 'FTP Coming Soon' }).click({ force: true })
    await expect.poll(() => type.inputValue()).toBe('URL')
    await page.keyboard.press('Escape')
    await fileFormat.click()
    await expect
      .poll(() => optionsOf(page))
      .toEqual([
        ['CSV', false],
        ['EXCEL Coming Soon', true],
        ['XML Coming Soon', true],
      ])
  })

  it('shows an error under each invalid field and focuses the first', async () => {
    const page = await openAddDialog(stage, 'invalid')
    const { name, url, preview } = fieldsOf(addDialog(page))
    const create = addDialog(page).getByRole('button', { name: 'Create Connection' })
    await create.click()
    await addDialog(page).getByText('Connection name is required').waitFor()
    await expect.poll(() => messageOf(name)).toBe('Connection name is required')
    await expect.poll(() => messageOf(url)).toBe('URL is required')
    await expect.poll(() => isFocused(name)).toBe(true)

    await url.fill('gopher://example.com/stock.csv')
    await preview.click()
    await expect
      .poll(() => messageOf(url))
      .toBe('Only http, https, s3, sftp, ftp and ftps addresses can be used')
    await expect.poll(() => isFocused(url)).toBe(true)
    await expect.poll(() => previewDialog(page).count()).toBe(0)

    await name.fill('Second tab')
    await url.fill('stock list')
    await create.click()
    await expect
      .poll(() => messageOf(url))
      .toBe('Enter a full address, for example https://example.com/inventory.csv')
  })

  it('shows the server’s error when a connection was added in the meantime', async () => {
    const page = await openAddDialog(stage, 'faster')
    const { name, url } = fieldsOf(addDialog(page))
    await name.fill('Second feed')
    await url.fill(stage.sourceServer.url('/good.csv'))
    const supplier = await page.context().request.post('/api/connections', {
      data: {
        name: 'Faster feed',
        type: 'URL',
        fileFormat: 'CSV',
        syncFrequency: 60,
        config: { url: stage.sourceServer.url('/good.csv') },
      },
    })
    expect(supplier.status()).toBe(201)
    await page.getByText('Faster feed').first().waitFor()
    await addDialog(page).getByRole('button', { name: 'Create Connection' }).click()
    await seeError(page, 'A supplier can have only one connection')
    await expect.poll(() => name.inputValue()).toBe('Second feed')
  })

  it('locks type and format when editing, and saves the other fields', async () => {
    const { name, connection, page, supplier } = await openConnected(stage, 'renamed', '/good.csv')
    const dialog = await openEditDialog(page, name)
    const fields = fieldsOf(dialog)
    await expect.poll(() => fields.type.isDisabled()).toBe(true)
    await expect.poll(() => fields.fileFormat.isDisabled()).toBe(true)
    await expect.poll(() => fields.url.inputValue()).toBe(stage.sourceServer.url('/good.csv'))
    await expect.poll(() => fields.syncFrequency.inputValue()).toBe('FOUR HOURS')
    await fields.name.fill('Renamed feed')
    await choose(dialog, 'Sync Frequency', 'UNLIMITED')
    const sent = await inputSent(page, 'connections.update', () =>
      dialog.getByRole('button', { name: 'Update Connection' }).click(),
    )
    expect(sent).toEqual({
      id: connection.id,
      name: 'Renamed feed',
      type: 'URL',
      fileFormat: 'CSV',
      syncFrequency: 0,
      config: { url: stage.sourceServer.url('/good.csv'), auth: { type: 'none' } },
      reading: AUTOMATIC_READING,
      columnRoles: AUTOMATIC_ROLES,
      updates: null,
    })
    await seeSuccess(page, 'Connection updated successfully')
    await dialog.waitFor({ state: 'hidden' })
    await rowOf(page, 'Renamed feed').first().getByText('Unlimited').waitFor()
    expect(await readConnection(supplier)).toMatchObject({ name: 'Renamed feed', syncFrequency: 0 })
  })

  it('has no preview for a format other than CSV', async () => {
    const { name, page, connection } = await openConnected(stage, 'legacy', '/good.csv')
    await stage.write((trx) =>
      trx
        .updateTable('connections')
        .set({ fileFormat: 'EXCEL' })
        .where('id', '=', connection.id)
        .execute(),
    )
    await page.reload()
    const dialog = await openEditDialog(page, name)
    await expect.poll(() => fieldsOf(dialog).fileFormat.inputValue()).toBe('EXCEL')
    await expect.poll(() => fieldsOf(dialog).preview.count()).toBe(0)
  })

  it('shows a fallback text for an error without a message', async () => {
    const { name, page } = await openConnected(stage, 'wordless', '/good.csv')
    await failWithoutMessage(page, 'connections.update')
    const dialog = await openEditDialog(page, name)
    await dialog.getByRole('button', { name: 'Update Connection' }).click()
    await seeError(page, 'Failed to update connection')
    await dialog.waitFor()
  })
})

/** The options of the open select, each with whether it is disabled. */
async function optionsOf(page: Page): Promise<[string, boolean][]> {
  const options = page.getByRole('option')
  await options.first().waitFor()
  const all = await readNow(options.all())
  return Promise.all(
    all.map(async (option): Promise<[string, boolean]> => {
      return [
        (await readNow(option.innerText())).replace(/\s+/g, ' '),
        await readNow(option.isDisabled()),
      ]
    }),
  )
}
