import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { worksheet, xlsx } from '../../server/testing/fixtures/workbooks'
import { zip } from '../../server/testing/fixtures/zip'
import type { ReceivedFile } from '../../shared/schemas/received-file'
import { readNow, type Page } from '../support/page'
import { startStage, type Stage, type Supplier } from '../support/stage'

const run = promisify(execFile)

let stage: Stage
let folder: string
let northbeck: Supplier

beforeAll(async () => {
  stage = await startStage()
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-files-'))
  northbeck = await stage.addSupplier('northbeck', { companyName: 'Northbeck Outdoor' })
})
afterEach(() => stage.leaveTabs())
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true })
})

const cell = (text: string | number) =>
  typeof text === 'number'
    ? `<c><v>${text}</v></c>`
    : `<c t="inlineStr"><is><t>${text}</t></is></c>`
const sheet = (...rows: (string | number)[][]) =>
  worksheet(rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join(''))

/** A book with a cover sheet, whose stock has a title above it. */
const book = (...quantities: number[]) =>
  xlsx({
    sheets: {
      Cover: sheet(['Northbeck Outdoor'], ['Valid until further notice']),
      Stock: sheet(
        ['Stock list'],
        [],
        ['SKU', 'Name', 'Stock'],
        ...quantities.map((quantity, index) => [`NB-${index + 1}`, `Boot ${index + 1}`, quantity]),
      ),
    },
  })

async function write(name: string, content: Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const panel = (page: Page, name: string) => page.getByRole('region', { name })
const filePicker = (page: Page, label: string) =>
  page.locator(`input[type=file][aria-label="${label}"]`)

async function received(): Promise<ReceivedFile[]> {
  const list = await northbeck.rest.send('GET', '/api/connections')
  const [connection] = list.body as { id: number }[]
  const path = `/api/connections/${connection?.id}/received-files`
  return (await northbeck.rest.send('GET', path)).body as ReceivedFile[]
}

describe('a supplier with an Excel file and no address', () => {
  it('publishes it with at most six actions', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier')
    let actions = 0
    const act = async (work: Promise<unknown>) => {
      actions += 1
      await work
    }
    await act(page.getByRole('link', { name: 'Add Connection' }).click())
    const dialog = page.getByRole('dialog', { name: 'Add Connection' })
    await act(dialog.getByRole('button', { name: 'No address? Send the file instead.' }).click())
    await act(
      filePicker(page, 'Your file').setInputFiles(await write('stock.xlsx', book(5, 0, 12))),
    )
    await act(dialog.getByRole('button', { name: 'Create and send' }).click())
    const files = panel(page, 'Send a file')
    await files.getByText('Published', { exact: true }).waitFor()
    await files.getByText(/3 rows/).waitFor()
    expect(actions).toBeLessThanOrEqual(6)
    await page.getByText('Excel workbook', { exact: true }).waitFor()
    await page.getByRole('cell', { name: /stock.*Files are sent by hand/ }).waitFor()
  })

  it('replaces it by dropping the next one, and sees a file that is refused', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier/connections')
    const files = panel(page, 'Send a file')
    await filePicker(page, 'Send a file').setInputFiles(await write('next.xlsx', book(5, 3, 12, 7)))
    await files.getByText(/4 rows/).waitFor()
    await filePicker(page, 'Send a file').setInputFiles(
      await write('cut.xlsx', book(1).subarray(0, 400)),
    )
    await files.getByText('Refused', { exact: true }).waitFor()
    await files.getByText(/damaged or cut off/).waitFor()
    expect((await received()).map(({ state }) => state)).toEqual([
      'refused',
      'published',
      'published',
    ])
  })

  it('chooses the file of an archive in the preview, and sends it', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier/connections')
    const archive = zip({
      'a/prices.csv': 'SKU,Price\nNB-1,9\n',
      'a/stock.csv': 'SKU,Name,Stock\nNB-1,Boot 1,4\nNB-2,Boot 2,3\nNB-3,Boot 3,12\n',
    })
    await filePicker(page, 'Choose a file to preview').setInputFiles(
      await write('both.zip', archive),
    )
    const preview = page.getByRole('dialog', { name: 'File Preview' })
    await preview.getByText(/A sync reads none of them until one is chosen/).waitFor()
    await preview.getByRole('combobox', { name: 'File in the archive' }).click()
    await page.getByRole('option', { name: /^a\/stock\.csv/ }).click()
    await preview.getByRole('cell', { name: 'Boot 2' }).waitFor()
    await preview.getByRole('button', { name: 'Send this file' }).click()
    await preview.waitFor({ state: 'hidden' })
    await panel(page, 'Send a file').getByText('both.zip').waitFor()
    await expect.poll(async () => (await received())[0]?.state).toBe('published')
  })
})

describe('an upload link', () => {
  it('takes files of who has it, in a browser and by curl, and shows nothing else', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier/connections')
    const card = panel(page, 'Upload link')
    await card.getByRole('button', { name: 'Create link' }).click()
    const code = card.getByRole('status').locator('code')
    await code.waitFor()
    const link = await readNow(code.innerText())

    const guest = await stage.openWindow(new URL(link).pathname)
    await guest.page.getByRole('heading', { name: 'Send a file to Northbeck Outdoor' }).waitFor()
    await filePicker(guest.page, 'Send a file').setInputFiles(
      await write('guest.xlsx', book(5, 3, 2)),
    )
    await guest.page.getByText('guest.xlsx').first().waitFor()
    await expect
      .poll(async () => (await received())[0])
      .toMatchObject({
        fileName: 'guest.xlsx',
        receivedBy: null,
        state: 'published',
      })

    const next = await write('from-script.xlsx', book(5, 3, 2, 1))
    const { stdout } = await run('curl', ['-sS', '-H', 'Prefer: wait=30', '-T', next, `${link}/`])
    expect(JSON.parse(stdout)).toMatchObject({
      fileName: 'from-script.xlsx',
      state: 'published',
      rows: 4,
    })

    await card.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await card.getByText('No link yet').waitFor()
    await guest.page.reload()
    await guest.page.getByText('This upload link does not work').waitFor()
  })
})

describe('a supplier whose book has two tables', () => {
  it('is told which sheet was read, and chooses the other one', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier/connections')
    const rows = [1, 2, 3, 4].map((number) => [`NB-${number}`, `Boot ${number}`, number])
    const header = ['SKU', 'Name', 'Stock']
    const both = xlsx({
      sheets: { North: sheet(header, ...rows), South: sheet(header, ...rows.slice(1)) },
    })
    const path = await write('both.xlsx', both)
    await filePicker(page, 'Send a file').setInputFiles(path)
    await page.getByText('“North” was read instead; the workbook also has “South”.').waitFor()
    await page.getByRole('button', { name: 'Choose the sheets' }).click()
    await filePicker(page, 'The file to be read').setInputFiles(path)
    const preview = page.getByRole('dialog', { name: 'File Preview' })
    await preview.getByRole('combobox', { name: 'Sheets' }).click()
    await page.getByRole('option', { name: /^South/ }).click()
    await preview.getByText('Your choices are kept when you use this file.').waitFor()
    await preview.getByRole('button', { name: 'Send this file' }).click()
    await preview.waitFor({ state: 'hidden' })
    await expect
      .poll(async () => (await received())[0])
      .toMatchObject({
        state: 'published',
        rows: 3,
      })
  })
})
