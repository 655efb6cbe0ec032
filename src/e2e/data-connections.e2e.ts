import iconv from 'iconv-lite'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { failWithoutWords, inputSent } from './calls'
import { until } from './rest-client'
import {
  cellsOf,
  choose,
  columnsOf,
  isFocused,
  messageOf,
  rowOf,
  seeError,
  seeSuccess,
} from './screen'
import { readConnection, startStage, type Stage, type Supplier } from './stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.feedServer.set('/good.csv', { body: 'sku,name,category\nA1,Boot,Shoes\nA2,Hat,Headwear\n' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const CONNECTIONS = '/supplier/connections'
const addDialog = (page: Page) => page.getByRole('dialog', { name: 'Add Connection' })
const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Connection' })
const previewDialog = (page: Page) => page.getByRole('dialog', { name: 'CSV Preview' })
const health = (page: Page, name: string) => page.getByRole('region', { name: `Health of ${name}` })
const syncButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Sync now ${name}` })

/** The value that stands beside a term of a list of definitions. */
const valueOf = (area: Locator, term: string) =>
  area
    .locator('dl > div')
    .filter({ has: area.page().locator('dt', { hasText: term }) })
    .locator('dd')
    .innerText()

/** Why the last sync failed; the bar of the runs says so of each one, for the ear. */
const reasonOf = (area: Locator, text: string) => area.locator('p').filter({ hasText: text })

const fieldsOf = (dialog: Locator) => ({
  name: dialog.getByLabel('Connection Name'),
  type: dialog.getByRole('combobox', { name: 'Connection Type' }),
  fileFormat: dialog.getByRole('combobox', { name: 'File Format' }),
  url: dialog.getByRole('textbox', { name: 'URL' }),
  syncFrequency: dialog.getByRole('combobox', { name: 'Sync Frequency' }),
  preview: dialog.getByRole('button', { name: 'Preview' }),
})

async function openAddDialog(username: string): Promise<Page> {
  await stage.addSupplier(username)
  const { page } = await stage.openAs(username, CONNECTIONS)
  await page.getByRole('button', { name: 'Add Connection' }).click()
  await addDialog(page).waitFor()
  return page
}

async function openPreview(page: Page, path: string): Promise<Locator> {
  await fieldsOf(addDialog(page)).url.fill(stage.feedServer.url(path))
  await fieldsOf(addDialog(page)).preview.click()
  await previewDialog(page).waitFor()
  return previewDialog(page)
}

/** A supplier with a connection to `path`, and its window. */
async function openConnected(username: string, path: string) {
  const supplier = await stage.addSupplier(username)
  const name = `${username} feed`
  const connection = await stage.addConnection(supplier, { name, url: stage.feedServer.url(path) })
  const { page } = await stage.openAs(username, CONNECTIONS)
  await health(page, name).waitFor()
  return { supplier, name, connection, page }
}

async function openEditDialog(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  await editDialog(page).waitFor()
  return editDialog(page)
}

const isSynced = async (supplier: Supplier) =>
  until(
    () => readConnection(supplier),
    ({ status }) => status === 'synced',
  )

describe('the list of connections', () => {
  it('offers Add Connection only while there is none', async () => {
    const page = await openAddDialog('first')
    const fields = fieldsOf(addDialog(page))
    await fields.name.fill('First feed')
    await fields.url.fill(stage.feedServer.url('/good.csv'))
    await choose(addDialog(page), 'Sync Frequency', 'FOUR HOURS')
    const sent = await inputSent(page, 'connections.create', () =>
      addDialog(page).getByRole('button', { name: 'Create Connection' }).click(),
    )
    expect(sent).toEqual({
      name: 'First feed',
      type: 'URL',
      fileFormat: 'CSV',
      syncFrequency: 240,
      config: { url: stage.feedServer.url('/good.csv'), auth: { type: 'none' } },
      isActive: true,
    })
    await seeSuccess(page, 'Connection created successfully')
    await addDialog(page).waitFor({ state: 'hidden' })
    await health(page, 'First feed').getByText('Synced', { exact: true }).waitFor()
    await expect
      .poll(() => columnsOf(page.getByRole('table', { name: 'Data connections' })))
      .toEqual(['Name', 'Type', 'File Format', 'Last Sync', 'Status', 'Actions'])
    await expect
      .poll(async () => (await cellsOf(rowOf(page, 'First feed').first())).slice(1))
      .toEqual([
        'URL',
        'CSV',
        expect.stringMatching(/^(?:just now|1 minute ago)\nEvery 4 hours$/),
        'Active',
        '',
      ])
    await expect.poll(() => page.getByRole('button', { name: 'Add Connection' }).count()).toBe(0)

    await page.goto(`${CONNECTIONS}?add=true`)
    await health(page, 'First feed').waitFor()
    await expect.poll(() => addDialog(page).count()).toBe(0)
  })
})

describe('the connection dialog', () => {
  it('names what is coming soon and does not let it be chosen', async () => {
    const page = await openAddDialog('soon')
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

  it('says under each field what is wrong, and starts at the first', async () => {
    const page = await openAddDialog('invalid')
    const { name, url, preview } = fieldsOf(addDialog(page))
    const create = addDialog(page).getByRole('button', { name: 'Create Connection' })
    await create.click()
    await addDialog(page).getByText('Connection name is required').waitFor()
    await expect.poll(() => messageOf(name)).toBe('Connection name is required')
    await expect.poll(() => messageOf(url)).toBe('URL is required')
    await expect.poll(() => isFocused(name)).toBe(true)

    await url.fill('ftp://example.com/stock.csv')
    await preview.click()
    await expect.poll(() => messageOf(url)).toBe('Only http:// and https:// addresses can be used')
    await expect.poll(() => isFocused(url)).toBe(true)
    await expect.poll(() => previewDialog(page).count()).toBe(0)

    await name.fill('Second tab')
    await url.fill('example.com')
    await create.click()
    await expect
      .poll(() => messageOf(url))
      .toBe('Enter a full address, for example https://example.com/inventory.csv')
  })

  it('shows the server’s message when another window was faster', async () => {
    const page = await openAddDialog('faster')
    const { name, url } = fieldsOf(addDialog(page))
    await name.fill('Second feed')
    await url.fill(stage.feedServer.url('/good.csv'))
    const supplier = await page.context().request.post('/api/connections', {
      data: {
        name: 'Faster feed',
        type: 'URL',
        fileFormat: 'CSV',
        syncFrequency: 60,
        config: { url: stage.feedServer.url('/good.csv') },
      },
    })
    expect(supplier.status()).toBe(201)
    await page.getByText('Faster feed').first().waitFor()
    await addDialog(page).getByRole('button', { name: 'Create Connection' }).click()
    await seeError(page, 'There is a connection already: a supplier has one')
    await expect.poll(() => name.inputValue()).toBe('Second feed')
  })

  it('has type and format locked when it edits, and saves the rest', async () => {
    const { name, connection, page, supplier } = await openConnected('renamed', '/good.csv')
    const dialog = await openEditDialog(page, name)
    const fields = fieldsOf(dialog)
    await expect.poll(() => fields.type.isDisabled()).toBe(true)
    await expect.poll(() => fields.fileFormat.isDisabled()).toBe(true)
    await expect.poll(() => fields.url.inputValue()).toBe(stage.feedServer.url('/good.csv'))
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
      config: { url: stage.feedServer.url('/good.csv'), auth: { type: 'none' } },
    })
    await seeSuccess(page, 'Connection updated successfully')
    await dialog.waitFor({ state: 'hidden' })
    await rowOf(page, 'Renamed feed').first().getByText('Unlimited').waitFor()
    expect(await readConnection(supplier)).toMatchObject({ name: 'Renamed feed', syncFrequency: 0 })
  })

  it('has no preview for a format that is no CSV', async () => {
    const { name, page, connection } = await openConnected('legacy', '/good.csv')
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

  it('has a text for a failure without one', async () => {
    const { name, page } = await openConnected('wordless', '/good.csv')
    await failWithoutWords(page, 'connections.update')
    const dialog = await openEditDialog(page, name)
    await dialog.getByRole('button', { name: 'Update Connection' }).click()
    await seeError(page, 'Failed to update connection')
    await dialog.waitFor()
  })
})

describe('the CSV preview', () => {
  it('shows bones until the source answers, and then its rows', async () => {
    let answer: () => void = () => undefined
    stage.feedServer.set('/slow.csv', {
      handler: (_request, response) => {
        answer = () => response.end('sku,name\nA1,Boot\n')
      },
    })
    const page = await openAddDialog('patient')
    const preview = await openPreview(page, '/slow.csv')
    const bones = preview.getByRole('status', { name: 'Loading the preview' })
    await bones.waitFor()
    await preview.getByText(/Make sure the format matches your expectations/).waitFor()
    await expect
      .poll(() => stage.feedServer.requests.some(({ path }) => path === '/slow.csv'))
      .toBe(true)
    answer()
    await preview.getByRole('cell', { name: 'Boot' }).waitFor()
    await expect.poll(() => bones.count()).toBe(0)
    await page.keyboard.press('Escape')
    await preview.waitFor({ state: 'hidden' })
    await expect.poll(() => addDialog(page).isVisible()).toBe(true)
  })

  it('says what failed, and tries again', async () => {
    const page = await openAddDialog('unlucky')
    stage.feedServer.set('/later.csv', { status: 404, body: 'gone' })
    const preview = await openPreview(page, '/later.csv')
    await preview.getByText('Failed to fetch CSV file', { exact: true }).waitFor()
    await preview.getByText('The server answered 404 Not Found.').waitFor()
    stage.feedServer.set('/later.csv', { body: 'sku,name\nA1,Boot\n' })
    await preview.getByRole('button', { name: 'Try Again' }).click()
    await preview.getByRole('cell', { name: 'Boot' }).waitFor()
  })

  it('tells an empty file, one without rows and one that is no CSV apart', async () => {
    stage.feedServer.set('/empty.csv', { body: '' })
    stage.feedServer.set('/header.csv', { body: 'sku,name,category\n' })
    stage.feedServer.set('/page.csv', { body: '<!doctype html><html><body>Sign in</body></html>' })
    stage.feedServer.set('/ragged.csv', { body: 'sku,name\nA1,Boot\nA2,Hat,Red\n' })
    const page = await openAddDialog('careful')
    const show = async (path: string, title: string, reason?: string) => {
      const preview = await openPreview(page, path)
      await preview.getByText(title, { exact: true }).waitFor()
      if (reason) await preview.getByText(reason, { exact: true }).waitFor()
      await expect.poll(() => preview.getByText('Failed to fetch CSV file').count()).toBe(0)
      await preview.getByRole('button', { name: 'Close', exact: true }).last().click()
      await preview.waitFor({ state: 'hidden' })
    }
    await show(
      '/empty.csv',
      'CSV file is empty',
      'Empty CSV file: there is not a single line at this address.',
    )
    await show('/header.csv', 'No data available', 'The file has 3 columns and no rows below them.')
    await show(
      '/page.csv',
      'Failed to parse CSV data',
      'The address gave a web page (HTML) instead of a CSV file.',
    )
    await show(
      '/ragged.csv',
      'Failed to parse CSV data',
      'Line 3 has 3 cells, but the header has 2.',
    )
  })

  it('refuses a private address in words that tell nothing about it', async () => {
    const page = await openAddDialog('nosy')
    const show = async (url: string, refusal: string) => {
      await fieldsOf(addDialog(page)).url.fill(url)
      await fieldsOf(addDialog(page)).preview.click()
      const preview = previewDialog(page)
      await preview.getByText(refusal).waitFor()
      await preview.getByText('Failed to fetch CSV file', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await preview.waitFor({ state: 'hidden' })
    }
    await show('http://192.168.0.1/stock.csv', 'This address cannot be reached from here.')
    const refusal = 'The name localhost could not be found, or cannot be reached from here.'
    await show(`${stage.product.url}/healthz`, refusal)
  })

  it('says how a Windows-1250 file with semicolons was read, with its problems by line', async () => {
    const rows = [
      'kód;název;kategorie;cena',
      '1;Žluťoučký kůň;Hračky;199,90',
      '2;Křišťálová váza;Domácnost;1 299,00',
      '',
      '3;Šťavnatý džus;Nápoje',
      '4;Čaj růžový;Nápoje;89,50',
    ]
    stage.feedServer.set('/czech.csv', { body: iconv.encode(rows.join('\r\n'), 'windows-1250') })
    const page = await openAddDialog('czech')
    const preview = await openPreview(page, '/czech.csv')
    await preview.getByRole('cell', { name: 'Žluťoučký kůň' }).waitFor()
    await expect.poll(() => valueOf(preview, 'Delimiter')).toBe('Semicolon')
    await expect.poll(() => valueOf(preview, 'Encoding')).toBe('WINDOWS-1250')
    await expect.poll(() => valueOf(preview, 'Rows read')).toBe('4')
    await expect.poll(() => valueOf(preview, 'Columns')).toBe('4')
    await expect.poll(() => valueOf(preview, 'Category column')).toBe('kategorie')
    const problems = preview.getByRole('region', { name: 'Problems in the file' })
    await expect
      .poll(() => problems.getByRole('listitem').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Line 4\s+Blank lines were left out\.$/),
        expect.stringMatching(/^Line 5\s+Some rows have fewer cells than the header/),
      ])
    await expect.poll(() => columnsOf(preview)).toEqual(['#', 'kód', 'název', 'kategorie', 'cena'])
  })

  it('shows the first 100 rows of more', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => `${index + 1},Thing ${index + 1}`)
    stage.feedServer.set('/many.csv', { body: `sku,name\n${rows.join('\n')}\n` })
    const page = await openAddDialog('many')
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

  it('takes the supplier’s choice of the category column to the server', async () => {
    stage.feedServer.set('/columns.csv', {
      body: 'sku,category,range\nA1,Shoes,Men > Boots\nA2,Hats,Women > Hats\n',
    })
    const page = await openAddDialog('chooser')
    await fieldsOf(addDialog(page)).name.fill('Chosen feed')
    const preview = await openPreview(page, '/columns.csv')
    const column = preview.getByRole('combobox', { name: 'Category column' })
    await column.waitFor()
    await expect.poll(() => column.inputValue()).toBe('Detected: category')
    await choose(preview, 'Category column', 'range')
    await choose(preview, 'Levels are separated by', '>')
    await page.keyboard.press('Escape')
    await preview.waitFor({ state: 'hidden' })
    const sent = await inputSent(page, 'connections.create', () =>
      addDialog(page).getByRole('button', { name: 'Create Connection' }).click(),
    )
    const categoryReading = { column: 'range', pathSign: '>', listSign: null }
    expect(sent).toMatchObject({ categoryReading })
    await health(page, 'Chosen feed').getByText('Synced', { exact: true }).waitFor()
    await expect.poll(() => valueOf(health(page, 'Chosen feed'), 'Category column')).toBe('range')
    const answer = await page.context().request.get('/api/connections')
    expect(await answer.json()).toMatchObject([{ categoryReading }])
  })
})

describe('a connection in the list', () => {
  it('is paused and taken up again by its switch, which sends isActive alone', async () => {
    const { supplier, name, connection, page } = await openConnected('pausing', '/good.csv')
    const active = page.getByRole('switch', { name: `${name} is active` })
    expect(await inputSent(page, 'connections.update', () => active.click())).toEqual({
      id: connection.id,
      isActive: false,
    })
    await seeSuccess(page, 'Connection updated successfully')
    await health(page, name).getByText('Paused', { exact: true }).waitFor()
    await expect.poll(() => valueOf(health(page, name), 'Next run')).toBe('Not scheduled')
    await expect.poll(async () => (await cellsOf(rowOf(page, name).first()))[4]).toBe('Not Active')
    expect(await readConnection(supplier)).toMatchObject({ isActive: false, status: 'paused' })

    await syncButton(page, name).click()
    await seeError(page, 'This connection is paused. Activate it to sync.')

    expect(await inputSent(page, 'connections.update', () => active.click())).toEqual({
      id: connection.id,
      isActive: true,
    })
    await health(page, name).getByText('Synced', { exact: true }).waitFor()
    await expect.poll(() => active.isChecked()).toBe(true)
  })

  it('goes back to what it was when its switch fails', async () => {
    const { name, page } = await openConnected('stuck', '/good.csv')
    await failWithoutWords(page, 'connections.update')
    const active = page.getByRole('switch', { name: `${name} is active` })
    await active.click()
    await seeError(page, 'Failed to update connection')
    await expect.poll(() => active.isChecked()).toBe(true)
    await expect.poll(() => active.isEnabled()).toBe(true)
  })

  it('says why its source fails, keeps the last good file, and recovers with Sync now', async () => {
    stage.feedServer.set('/moody.csv', { body: 'sku,name\nA1,Boot\n' })
    const { supplier, name, page } = await openConnected('moody', '/moody.csv')
    await expect.poll(() => valueOf(health(page, name), 'Health')).toBe('Synced')
    const { lastSync } = await readConnection(supplier)

    stage.feedServer.set('/moody.csv', { status: 503, body: 'later' })
    await syncButton(page, name).click()
    await health(page, name).getByText('Failed', { exact: true }).waitFor()
    const reason = reasonOf(health(page, name), 'The server answered 503 Service Unavailable.')
    await reason.waitFor()
    await health(page, name)
      .getByText(/Retailers keep the last good file, as of/)
      .waitFor()
    await expect.poll(() => valueOf(health(page, name), 'Last attempt')).toMatch(/, failed$/)
    expect(await readConnection(supplier)).toMatchObject({ lastSync, consecutiveFailures: 1 })
    const keptTime = health(page, name).getByText('Retailers keep').locator('time')
    await expect.poll(() => keptTime.getAttribute('datetime')).toBe(lastSync)

    stage.feedServer.set('/moody.csv', { body: 'sku,name\nA1,Boot\nA2,Hat\n' })
    await syncButton(page, name).click()
    await health(page, name).getByText('Synced', { exact: true }).waitFor()
    await expect.poll(() => reason.count()).toBe(0)
    await isSynced(supplier)
  })

  it('that never had a file says so', async () => {
    const { name, page } = await openConnected('luckless', '/nowhere.csv')
    await health(page, name).getByText('Failed', { exact: true }).waitFor()
    await reasonOf(health(page, name), 'The server answered 404 Not Found.').waitFor()
    await health(page, name).getByText('There is no file for your retailers yet.').waitFor()
    await expect.poll(() => valueOf(health(page, name), 'Last success')).toBe('Never')
    await expect
      .poll(async () => (await cellsOf(rowOf(page, name).first()))[3])
      .toBe('Never\nEvery 4 hours')
  })
})

/** The options of the open select, with whether they are disabled. */
async function optionsOf(page: Page): Promise<[string, boolean][]> {
  const options = page.getByRole('option')
  await options.first().waitFor()
  const all = await options.all()
  return Promise.all(
    all.map(async (option): Promise<[string, boolean]> => {
      return [(await option.innerText()).replace(/\s+/g, ' '), await option.isDisabled()]
    }),
  )
}
