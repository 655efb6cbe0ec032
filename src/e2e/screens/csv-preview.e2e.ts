import iconv from 'iconv-lite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { inputSent } from '../support/calls'
import {
  addDialog,
  previewDialog,
  health,
  valueOf,
  fieldsOf,
  openAddDialog,
} from '../support/connection-screens'
import type { Locator, Page } from '../support/page'
import { choose, columnsOf } from '../support/screen'
import { startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/good.csv', {
    body: 'sku,name,category\nA1,Boot,Shoes\nA2,Hat,Headwear\n',
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

async function openPreview(page: Page, path: string): Promise<Locator> {
  await fieldsOf(addDialog(page)).url.fill(stage.sourceServer.url(path))
  await fieldsOf(addDialog(page)).preview.click()
  await previewDialog(page).waitFor()
  return previewDialog(page)
}

describe('the CSV preview', () => {
  it('shows a skeleton until the source responds, then its rows', async () => {
    let respond: () => void = () => undefined
    stage.sourceServer.set('/slow.csv', {
      handler: (_request, response) => {
        respond = () => response.end('sku,name\nA1,Boot\n')
      },
    })
    const page = await openAddDialog(stage, 'patient')
    const preview = await openPreview(page, '/slow.csv')
    const skeleton = preview.getByRole('status', { name: 'Loading the preview' })
    await skeleton.waitFor()
    await preview.getByText(/Make sure the format matches your expectations/).waitFor()
    await expect
      .poll(() => stage.sourceServer.requests.some(({ path }) => path === '/slow.csv'))
      .toBe(true)
    respond()
    await preview.getByRole('cell', { name: 'Boot' }).waitFor()
    await expect.poll(() => skeleton.count()).toBe(0)
    await page.keyboard.press('Escape')
    await preview.waitFor({ state: 'hidden' })
    await expect.poll(() => addDialog(page).isVisible()).toBe(true)
  })

  it('shows what failed, and retries', async () => {
    const page = await openAddDialog(stage, 'unlucky')
    stage.sourceServer.set('/later.csv', { status: 404, body: 'gone' })
    const preview = await openPreview(page, '/later.csv')
    await preview.getByText('Failed to fetch CSV file', { exact: true }).waitFor()
    await preview.getByText('The server answered 404 Not Found.').waitFor()
    stage.sourceServer.set('/later.csv', { body: 'sku,name\nA1,Boot\n' })
    await preview.getByRole('button', { name: 'Try Again' }).click()
    await preview.getByRole('cell', { name: 'Boot' }).waitFor()
  })

  it('distinguishes an empty file, a file without rows and one that is not CSV', async () => {
    stage.sourceServer.set('/empty.csv', { body: '' })
    stage.sourceServer.set('/header.csv', { body: 'sku,name,category\n' })
    stage.sourceServer.set('/page.csv', {
      body: '<!doctype html><html><body>Sign in</body></html>',
    })
    stage.sourceServer.set('/ragged.csv', { body: 'sku,name\nA1,Boot\nA2,Hat,Red\n' })
    const page = await openAddDialog(stage, 'careful')
    const show = async (path: string, title: string, reason?: string) => {
      const preview = await openPreview(page, path)
      await preview.getByText(title, { exact: true }).waitFor()
      if (reason) await preview.getByText(reason, { exact: true }).waitFor()
      await expect.poll(() => preview.getByText('Failed to fetch CSV file').count()).toBe(0)
      await preview.getByRole('button', { name: 'Close', exact: true }).last().click()
      await preview.waitFor({ state: 'hidden' })
    }
    await show('/empty.csv', 'CSV file is empty', 'Empty CSV file: the source has no lines.')
    await show('/header.csv', 'No data available', 'The file has 3 columns but no rows.')
    await show(
      '/page.csv',
      'Failed to parse CSV data',
      'The file is a web page (HTML) instead of a CSV file or a workbook.',
    )
    await show(
      '/ragged.csv',
      'Failed to parse CSV data',
      'Line 3 has 3 cells, but the header has 2: “A2,Hat,Red”.',
    )
  })

  it('refuses a private address without revealing anything about it', async () => {
    const page = await openAddDialog(stage, 'nosy')
    const show = async (url: string, refusal: string) => {
      await fieldsOf(addDialog(page)).url.fill(url)
      await fieldsOf(addDialog(page)).preview.click()
      const preview = previewDialog(page)
      await preview.getByText(refusal).waitFor()
      await preview.getByText('Failed to fetch CSV file', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await preview.waitFor({ state: 'hidden' })
    }
    await show(
      'http://192.168.0.1/stock.csv',
      'Private addresses and unusual ports are not contacted from here.',
    )
    // The product runs on the machine of the one who looks.
    await show(`${stage.product.url}/healthz`, 'to the setting FETCH_ALLOW of the server.')
  })

  it('shows format and problems of a Windows-1250 file with semicolons', async () => {
    const rows = [
      'kód;název;kategorie;cena',
      '1;Žluťoučký kůň;Hračky;199,90',
      '2;Křišťálová váza;Domácnost;1 299,00',
      '',
      '3;Šťavnatý džus;Nápoje',
      '4;Čaj růžový;Nápoje;89,50',
    ]
    stage.sourceServer.set('/czech.csv', { body: iconv.encode(rows.join('\r\n'), 'windows-1250') })
    const page = await openAddDialog(stage, 'czech')
    const preview = await openPreview(page, '/czech.csv')
    await preview.getByRole('cell', { name: 'Žluťoučký kůň' }).waitFor()
    await expect.poll(() => valueOf(preview, 'Delimiter')).toBe('Semicolon')
    await expect.poll(() => valueOf(preview, 'Encoding')).toBe('Windows-1250')
    await expect.poll(() => valueOf(preview, 'Rows read')).toBe('4')
    await expect.poll(() => valueOf(preview, 'Columns')).toBe('4')
    await expect.poll(() => valueOf(preview, 'Category column')).toBe('kategorie')
    const problems = preview.getByRole('region', { name: 'Problems in the file' })
    await expect
      .poll(() => problems.getByRole('listitem').allInnerTexts())
      .toEqual([
        expect.stringMatching(
          /^Whole file\s+Read as Windows-1250: check that .* look right, as in “/,
        ),
        expect.stringMatching(/^Line 4\s+Blank lines were left out\.$/),
        expect.stringMatching(/^Line 5\s+Some rows have fewer cells than the header/),
      ])
    await expect
      .poll(() => columnsOf(preview))
      .toEqual(['#', 'kód', 'název', 'kategorie', 'cena Price'])
  })

  it('repairs a wrongly guessed encoding at once, for the table and for every sync', async () => {
    // Guessed as Windows-1250.
    const words = 'sku;name\r\n1;Èaj rùžový\r\n2;Žlutý kùò\r\n3;Šaty\r\n'
    stage.sourceServer.set('/wrong.csv', { body: iconv.encode(words, 'windows-1252') })
    const page = await openAddDialog(stage, 'repairer')
    await fieldsOf(addDialog(page)).name.fill('Repaired feed')
    const preview = await openPreview(page, '/wrong.csv')
    await preview.getByRole('cell', { name: 'Čaj růžový' }).waitFor()
    await choose(preview, 'Encoding', 'Windows-1252')
    await preview.getByRole('cell', { name: 'Èaj rùžový' }).waitFor()
    await expect.poll(() => valueOf(preview, 'Encoding')).toBe('Windows-1252')
    await preview.getByRole('button', { name: 'Use this file' }).click()
    await preview.waitFor({ state: 'hidden' })
    await addDialog(page).getByText('Encoding Windows-1252').waitFor()
    await addDialog(page).getByRole('button', { name: 'Create Connection' }).click()
    await health(page, 'Repaired feed').getByText('Synced', { exact: true }).waitFor()
    const found = page.getByRole('region', { name: 'What the last successful sync found' })
    await expect.poll(() => valueOf(found, 'Encoding')).toBe('Windows-1252')
    await found.getByText('No problems were found in the file.').waitFor()
  })

  it('shows only the first 100 rows', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => `${index + 1},Thing ${index + 1}`)
    stage.sourceServer.set('/many.csv', { body: `sku,name\n${rows.join('\n')}\n` })
    const page = await openAddDialog(stage, 'many')
    const preview = await openPreview(page, '/many.csv')
    const table = preview.getByRole('table', { name: 'Rows of the file' })
    await table.waitFor()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('101')
    await preview
      .getByRole('region', { name: 'Rows of the file' })
      .evaluate((node) => node.scrollTo(0, node.scrollHeight))
    await table.getByRole('cell', { name: 'Thing 100', exact: true }).waitFor()
    await expect.poll(() => table.getByText('Thing 101').count()).toBe(0)
  })

  it('saves the supplier’s choice of the category column', async () => {
    stage.sourceServer.set('/columns.csv', {
      body: 'sku,category,range\nA1,Shoes,Men > Boots\nA2,Hats,Women > Hats\n',
    })
    const page = await openAddDialog(stage, 'chooser')
    await fieldsOf(addDialog(page)).name.fill('Chosen feed')
    const preview = await openPreview(page, '/columns.csv')
    await preview.getByRole('button', { name: 'How this file is read' }).click()
    const column = preview.getByRole('combobox', { name: 'Category column' })
    await expect.poll(() => column.inputValue()).toBe('Automatic (found: category)')
    await choose(preview, 'Category column', 'range')
    await preview.getByRole('button', { name: 'Advanced' }).click()
    await choose(preview, 'Level separator', '>')
    await preview.getByRole('button', { name: 'Use this file' }).click()
    await preview.waitFor({ state: 'hidden' })
    const sent = await inputSent(page, 'connections.create', () =>
      addDialog(page).getByRole('button', { name: 'Create Connection' }).click(),
    )
    const categoryReading = { column: 'range', pathSeparator: '>', listSeparator: null }
    expect(sent).toMatchObject({ categoryReading })
    await health(page, 'Chosen feed').getByText('Synced', { exact: true }).waitFor()
    await expect.poll(() => valueOf(health(page, 'Chosen feed'), 'Category column')).toBe('range')
    const response = await page.context().request.get('/api/connections')
    expect(await response.json()).toMatchObject([{ categoryReading }])
  })
})
