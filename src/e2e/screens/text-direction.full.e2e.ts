import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { holdFile } from '../support/held-file'
import type { Page } from '../support/page'
import { startStage, type Stage } from '../support/stage'
import { findMisplaced, findTurnedSentences } from '../support/text-direction'

const FEED = 'كتالوج الربيع'
const STORE = 'متجر الجبل'

let stage: Stage
/** The path of the connection's history. */
let history: string

/** Rows in Arabic, in columns one of which has an Arabic name. */
const fileOf = (rows: number) =>
  `sku,الاسم,category,stock\n${Array.from(
    { length: rows },
    (_, row) => `A-${row},حذاء رقم ${row},أحذية > شتاء,${row % 2 === 0 ? row + 1 : 'متوفر'}\n`,
  ).join('')}`

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/arabic.csv', { body: fileOf(30) })
  const souk = await stage.addSupplier('souk', { companyName: 'سوق المدينة' })
  const url = stage.sourceServer.url('/arabic.csv')
  const { id } = await stage.addConnection(souk, { name: FEED, url })
  await stage.addRetailer(souk, 'summit', { storeName: STORE })
  await holdFile(stage, souk, { id, path: '/arabic.csv', body: fileOf(2) })
  history = `/supplier/connections/${id}/history`
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click()

async function expectInPlace(page: Page, text: string) {
  await page.getByText(text).filter({ visible: true }).first().waitFor()
  await expect.poll(() => findMisplaced(page)).toEqual([])
  await expect.poll(() => findTurnedSentences(page)).toEqual([])
}

describe('values in a right-to-left script begin where the text of the page does', () => {
  it.each([
    ['/supplier/connections', FEED],
    ['/supplier/retailers', STORE],
    ['/supplier/inventory', 'حذاء رقم 3'],
    ['/supplier/activity', FEED],
    ['/alerts', FEED],
  ])('on %s', async (path, text) => {
    const { page } = await stage.openAs('souk', path)
    if (path === '/alerts') await press(page, /^Notifications/)
    await expectInPlace(page, text)
  })

  it('in the reasons of a held file', async () => {
    const { page } = await stage.openAs('souk', history)
    await page.getByRole('region', { name: 'A new file is held' }).waitFor()
    await expectInPlace(page, FEED)
  })

  it('in the samples of columns', async () => {
    const { page } = await stage.openAs('souk', '/supplier/connections')
    await press(page, 'Change columns')
    await expectInPlace(page, 'متوفر')
    await expectInPlace(page, 'حذاء رقم 0')
  })

  it('in the preview of a file, and how its categories are read', async () => {
    const { page } = await stage.openAs('souk', '/supplier/connections')
    await press(page, `Edit ${FEED}`)
    await press(page, 'Preview')
    const preview = page.getByRole('dialog', { name: 'CSV Preview' })
    await preview.getByRole('button', { name: 'How this file is read' }).click()
    await expectInPlace(page, 'أحذية > شتاء')
  })

  it('in the category tree of a retailer', async () => {
    const { page } = await stage.openAs('souk', '/supplier/retailers')
    await press(page, `Settings of ${STORE}`)
    await page.getByRole('switch', { name: 'Show All Products' }).click()
    await expectInPlace(page, 'أحذية')
  })

  it('in the command palette', async () => {
    const { page } = await stage.openAs('souk', '/supplier')
    // Keys do something once the page is shown.
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
    await page.getByPlaceholder('Go to …').fill('متجر')
    await page.getByRole('option', { name: STORE }).waitFor()
    await expectInPlace(page, STORE)
  })
})
