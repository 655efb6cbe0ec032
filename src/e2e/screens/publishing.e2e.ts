import { readFile } from 'node:fs/promises'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Connection } from '../../shared/schemas/connection'
import { readNow, type Page } from '../support/page'
import { startStage, type Stage, type Supplier } from '../support/stage'

let stage: Stage
let northbeck: Supplier
let connection: Connection

function fileOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => `A-${row},Boots,${row + 1}\n`)
  return `sku,category,stock\n${lines.join('')}`
}

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/inventory.csv', { body: fileOf(40) })
  northbeck = await stage.addSupplier('northbeck')
  connection = await stage.addConnection(northbeck, {
    name: 'Main feed',
    url: stage.sourceServer.url('/inventory.csv'),
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const confirm = async (page: Page, name: string) => {
  await dialog(page).getByRole('button', { name, exact: true }).click()
  await dialog(page).waitFor({ state: 'detached' })
}
async function receive(body: string) {
  stage.sourceServer.set('/inventory.csv', { body })
  await northbeck.rest.send('POST', `/api/connections/${connection.id}/sync`)
}
async function readDownload(page: Page, link: string): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: link }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Changes-Main-feed-\d{4}-\d\d-\d\d\.csv$/)
  return (await readFile(await download.path(), 'utf8')).split('\r\n')
}
const states = (page: Page) =>
  page.getByRole('table', { name: 'Files' }).getByRole('row').allInnerTexts()

describe('a file that is much smaller than the published one', () => {
  it('is held in front of the supplier, who discards it', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier/connections')
    await region(page, 'Data connections').or(page.getByRole('table')).first().waitFor()
    await receive(fileOf(4))
    const held = region(page, 'A new file is held')
    const rows = held.getByRole('region', { name: 'Rows', exact: true })
    await expect.poll(() => rows.innerText()).toMatch(/−90\.0\s%\s+Published\s+40\s+Held\s+4/)
    await held.getByRole('link', { name: 'Compare with published' }).click()
    await region(page, 'Gone items').getByText('A-10').waitFor()
    await page.goBack()
    await held.getByRole('link', { name: 'Compare with published' }).click()
    await page.getByRole('searchbox', { name: 'Search SKUs' }).fill('a-39')
    await page.getByRole('status').getByText('Matches 1 of 1').waitFor()
    await held.getByRole('button', { name: 'Discard' }).click()
    await confirm(page, 'Discard')
    await held.waitFor({ state: 'detached' })
  })

  it('is published when the supplier says so, and taken back', async () => {
    await receive(fileOf(5))
    const path = `/supplier/connections/${connection.id}/history`
    const { page } = await stage.openAs('northbeck', path)
    const held = region(page, 'A new file is held')
    await held.getByRole('button', { name: 'Publish anyway' }).click()
    await dialog(page).getByText('35 rows less').waitFor()
    await confirm(page, 'Publish anyway')
    await held.waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await readNow(states(page)))[1])
      .toContain('although it was held')

    await page
      .getByRole('button', { name: /^Publish the file of/ })
      .last()
      .click()
    await confirm(page, 'Publish again')
    await expect.poll(async () => (await readNow(states(page)))[1]).toContain('from an older file')
    await page
      .getByRole('button', { name: /^Compare the file of/ })
      .first()
      .click()
    await region(page, 'New items').getByRole('row', { name: /A-5/ }).waitFor()
    const lines = await readDownload(page, 'Download all changes')
    expect(lines[0]).toBe(
      '\uFEFFsku,change,category before,category after,stock before,stock after',
    )
    expect(lines[1]).toBe('A-5,added,,Boots,,6')
    expect(lines).toHaveLength(1 + 35 + 1)
    await page.getByRole('button', { name: 'Show all 35' }).click()
    await page.getByRole('status').getByText('Items 1–35 of 35').waitFor()
    await page.getByRole('searchbox', { name: 'Search SKUs' }).fill('a-1')
    await page.getByRole('status').getByText('Matches 1–10 of 10').waitFor()
    const found = await readDownload(page, 'Download these changes')
    expect(found).toHaveLength(1 + 10 + 1)
    // The first file has the same rows as the one that was published from it.
    await page.getByRole('combobox', { name: 'From' }).selectOption({ index: 3 })
    await page.getByText('No row differs').waitFor()
    await page.goBack()
    await page.getByRole('status').getByText('Matches 1–10 of 10').waitFor()
    await page.getByRole('link', { name: 'Feed history' }).click()
    await page
      .getByRole('button', { name: /^Pin the file of/ })
      .last()
      .click()
    await expect.poll(async () => (await readNow(states(page))).at(-1)).toContain('Pinned')

    const timeline = page.getByRole('list', { name: 'Timeline' })
    const today = timeline.getByRole('list', { name: 'Today' })
    // A sync that the supplier has started, and what came of it, are one line.
    await today
      .getByRole('listitem')
      .filter({ hasText: /^Held.*Started by northbeck/s })
      .first()
      .waitFor()
    await expect.poll(() => today.getByText('started a sync').count()).toBe(0)
    await page.getByRole('button', { name: 'What people did' }).click()
    await today.getByText('started a sync').first().waitFor()
    await page.getByRole('button', { name: 'Failures' }).click()
    await page.getByText('No sync has failed.').waitFor()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    for (const did of ['pinned a file', 'published an earlier file', 'published a held file']) {
      await timeline.getByText(did).first().waitFor()
    }
    await timeline
      .getByRole('link', { name: /^Compare the file of/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'What Has Changed in Main feed' }).waitFor()
    await page.goBack()
    const charts = region(page, 'Figures').getByRole('figure')
    await expect.poll(() => charts.getByRole('slider').count()).toBe(3)
  })

  it('stands in two lines on phones, with the same actions', async () => {
    const path = `/supplier/connections/${connection.id}/history`
    const { page } = await stage.openAs('northbeck', path)
    await page.setViewportSize({ width: 390, height: 844 })
    const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
    await files
      .first()
      .getByRole('button', { name: /^Actions for the file of/ })
      .click()
    await page.getByRole('menuitem', { name: 'Compare' }).click()
    await region(page, 'New items').getByRole('row', { name: /A-5/ }).waitFor()
    await page.goBack()
    const reason = page.getByRole('button', { name: /^The new file is held/ }).first()
    await reason.click()
    await page.getByText('Started by northbeck').first().waitFor()
  })

  it('is held as the supplier’s own thresholds say, which are tried first', async () => {
    const { page } = await stage.openAs('northbeck', '/supplier/connections')
    await region(page, 'Safety checks').getByRole('button', { name: 'Change checks' }).click()
    const rows = dialog(page).getByRole('textbox', { name: 'Hold when rows are below' })
    await rows.fill('100')
    await dialog(page).getByText('of the last 2 new files would have been held').waitFor()
    await rows.fill('')
    await confirm(page, 'Save')
    await region(page, 'Safety checks').getByText('Off').first().waitFor()
  })
})
