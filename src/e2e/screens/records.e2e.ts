import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { ReceivedFile } from '../../shared/schemas/received-file'
import type { Page } from '../support/page'
import { startStage, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let folder: string
let northbeck: Supplier

beforeAll(async () => {
  stage = await startStage()
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-records-'))
  northbeck = await stage.addSupplier('northbeck', { companyName: 'Northbeck Outdoor' })
})
afterEach(() => stage.leaveTabs())
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true })
})

const list = (name: string, count: number) => {
  const item = (at: number) =>
    `<${name}><sku>${name}-${at}</sku><price>9.90</price><qty>${at}</qty></${name}>`
  return `<${name}s>${Array.from({ length: count }, (_, at) => item(at)).join('')}</${name}s>`
}
/** Either of the lists may be meant. */
const CATALOGUE = `<catalogue>${list('boot', 4)}<x/>${list('hat', 3)}</catalogue>`

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const filePicker = (page: Page, label: string) =>
  page.locator(`input[type=file][aria-label="${label}"]`)

async function newest(): Promise<ReceivedFile | undefined> {
  const connections = await northbeck.rest.send('GET', '/api/connections')
  const [connection] = connections.body as { id: number }[]
  const path = `/api/connections/${connection?.id}/received-files`
  return ((await northbeck.rest.send('GET', path)).body as ReceivedFile[])[0]
}

describe('a supplier whose XML file has two lists', () => {
  it('chooses one of them by a click, and goes back to automatic by the keyboard', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier')
    const path = await write('catalogue.xml', CATALOGUE)
    await page.getByRole('link', { name: 'Add Connection' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Connection' })
    await dialog.getByRole('button', { name: 'No address? Send the file instead.' }).click()
    await filePicker(page, 'Your file').setInputFiles(path)
    await dialog.getByRole('button', { name: 'Create and send' }).click()
    await page
      .getByText(/The file has several lists that may be the table/)
      .first()
      .waitFor()
    expect(await newest()).toMatchObject({ state: 'refused' })

    await filePicker(page, 'Choose a file to preview').setInputFiles(path)
    const preview = page.getByRole('dialog', { name: 'File Preview' })
    await preview.getByRole('cell', { name: 'boot-1' }).waitFor()
    const records = preview.getByRole('group', { name: 'Records' })
    const hat = records.getByRole('radio', { name: 'hat' })
    const automatic = records.getByRole('radio', { name: 'Automatic' })
    await hat.click()
    await preview.getByRole('cell', { name: 'hat-1' }).waitFor()
    await expect.poll(() => hat.isChecked()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await preview.getByRole('cell', { name: 'boot-1' }).waitFor()
    await expect.poll(() => automatic.isChecked()).toBe(true)

    await hat.click()
    await preview.getByRole('cell', { name: 'hat-1' }).waitFor()
    await preview.getByRole('button', { name: 'Send this file' }).click()
    await preview.waitFor({ state: 'hidden' })
    await expect.poll(newest).toMatchObject({ state: 'published', rows: 3 })
    await page
      .getByText(/XML, hat of catalogue\.xml/)
      .first()
      .waitFor()
  })
})
