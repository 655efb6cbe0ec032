import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { setSlowSource } from '../../server/testing/servers/slow-source'
import { health, openConnected } from '../support/connection-screens'
import { readNow, type Page } from '../support/page'
import { until } from '../support/rest-client'
import { cellsOf, columnsOf, rowOf, seeSuccess } from '../support/screen'
import { readConnection, startStage, type Stage } from '../support/stage'

const CSV = 'sku,name\nA1,Boot\n'
/** 20,000 rows: more than are buffered for detecting the format before rows are counted. */
const START = `sku,name\n${'A1,Boot\n'.repeat(20_000)}`
const REST = 'A2,Hat\n'.repeat(10_000)

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const history = (page: Page) => page.getByRole('table', { name: 'Run history' })
const results = async (page: Page) => {
  const rows = await readNow(history(page).getByRole('row').all())
  return Promise.all(
    rows.slice(1).map(async (row) => (await readNow(cellsOf(row))).slice(1, 3).join(': ')),
  )
}

/** A supplier with one finished sync, whose next one stops halfway until the test ends it. */
async function openSlow(username: string) {
  const path = `/${username}.csv`
  stage.sourceServer.set(path, { body: CSV })
  const { supplier, name, connection, page } = await openConnected(stage, username, path)
  await health(page, name).getByText('Synced', { exact: true }).waitFor()
  const length = `${START.length + REST.length}`
  const feed = setSlowSource(stage.sourceServer, path, START, { 'content-length': length })
  return { supplier, name, id: connection.id, page, feed, path }
}

const syncButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Sync now ${name}` })

/** Waits until the page shows the progress of the half-received file. */
const seeProgress = (page: Page, name: string) =>
  health(page, name).getByText('156.3 KB of 224.6 KB · 20,000 rows').waitFor()

describe('a running sync', () => {
  it('shows its progress, and then its result, in every window', async () => {
    const { name, page, feed } = await openSlow('watched')
    const other: Page = await page.context().newPage()
    await other.goto('/supplier')
    await health(other, name).getByText('Synced', { exact: true }).waitFor()

    await syncButton(page, name).click()
    const response = await feed.asked
    for (const window of [page, other]) {
      await seeProgress(window, name)
      await health(window, name).getByText('Running', { exact: true }).waitFor()
      const bar = health(window, name).getByRole('progressbar', { name: `Sync of ${name}` })
      await expect.poll(() => bar.getAttribute('value')).toBe('70')
    }
    await expect.poll(() => results(page)).toEqual(['Running: –', 'Published: New file'])

    response.end(REST)
    for (const window of [page, other]) {
      await health(window, name).getByText('Synced', { exact: true }).waitFor()
      await expect.poll(() => window.getByRole('progressbar').count()).toBe(0)
    }
    await expect.poll(() => results(page)).toEqual(['Published: New file', 'Published: New file'])
    const findings = page.getByRole('region', { name: 'What the last successful sync found' })
    await findings.getByText('30,000', { exact: true }).waitFor()
    await findings.getByText('Passed through byte for byte.').waitFor()
    await other.close()
  })

  it('is cancelled by its button, listed as cancelled, and closes its connection to the source', async () => {
    const { supplier, name, page, feed } = await openSlow('cancelled')
    await syncButton(page, name).click()
    await seeProgress(page, name)
    await page.getByRole('button', { name: `Cancel sync ${name}` }).click()
    await seeSuccess(page, 'Sync cancelled')
    await health(page, name).getByText('Synced', { exact: true }).waitFor()
    await expect
      .poll(() => results(page))
      .toEqual(['Cancelled: Cancelled by cancelled', 'Published: New file'])
    await until(async () => feed.isClosed(), Boolean)
    await expect
      .poll(() => columnsOf(history(page)))
      .toEqual(['When', 'Result', 'Reason', 'Size', 'Rows', 'Duration'])
    await expect
      .poll(async () => (await readNow(cellsOf(rowOf(history(page), 'Cancelled by')))).slice(3, 5))
      .toEqual(['156.3 KB', '20,000'])
    await health(page, name).getByText('Last 20 runs: 1 cancelled, 1 published').waitFor()
    expect((await readConnection(supplier)).lastError).toBe(null)
  })

  it('is shown to an administrator, who cancels it after a question', async () => {
    const { name, page, feed } = await openSlow('overseen')
    const path = '/dashboard/super-admin/operations'
    const { page: office } = await stage.openAs('admin', path)
    await office.getByText('Nothing is running', { exact: true }).waitFor()
    await syncButton(page, name).click()
    const runs = office.getByRole('table', { name: 'Running syncs' })
    await runs.getByText('156.3 KB of 224.6 KB · 20,000 rows').waitFor()
    await runs.getByRole('link', { name: 'overseen company', exact: true }).waitFor()

    await office.getByRole('button', { name: `Cancel sync ${name} of overseen company` }).click()
    const dialog = office.getByRole('dialog', { name: 'Cancel Sync' })
    await dialog.getByText(`Cancel the sync of "${name}" of overseen company?`).waitFor()
    await dialog.getByRole('button', { name: 'Cancel Sync' }).click()
    await seeSuccess(office, 'Sync cancelled')
    await office.getByText('Nothing is running', { exact: true }).waitFor()
    await until(async () => feed.isClosed(), Boolean)
    await expect
      .poll(() => results(page))
      .toEqual(['Cancelled: Cancelled by an administrator', 'Published: New file'])
  })

  it('is shown with the reason of its failure when it was not started from this page', async () => {
    const { supplier, name, id, page, path } = await openSlow('unattended')
    stage.sourceServer.set(path, { status: 503 })
    await supplier.rest.send('POST', `/api/connections/${id}/sync`)
    await health(page, name).getByText('Failed', { exact: true }).waitFor()
    await expect
      .poll(() => results(page))
      .toEqual([expect.stringMatching(/^Failed: The server answered 503/), 'Published: New file'])
  })

  it('brings a new file to the retailer’s open dashboard', async () => {
    stage.sourceServer.set('/shop.csv', { body: CSV })
    const supplier = await stage.addSupplier('shopped')
    const url = stage.sourceServer.url('/shop.csv')
    const { id } = await stage.addConnection(supplier, { name: 'Shop feed', url })
    await stage.addRetailer(supplier, 'shop')
    const { page } = await stage.openAs('shop', '/retailer')
    const file = page.getByRole('region', { name: 'Inventory Data' })
    await file.getByText('1 row', { exact: true }).waitFor()
    const [retailer] = (await supplier.rest.send('GET', '/api/retailers')).body as { id: number }[]
    await supplier.rest.send('PATCH', `/api/retailers/${retailer?.id}`, { syncFrequency: 0 })
    stage.sourceServer.set('/shop.csv', { body: `${CSV}A2,Hat\n` })
    await supplier.rest.send('POST', `/api/connections/${id}/sync`)
    await file.getByText('2 rows').waitFor()
  })
})
