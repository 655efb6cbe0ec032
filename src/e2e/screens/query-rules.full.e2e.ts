import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { setSlowSource } from '../../server/testing/servers/slow-source'
import { failWithoutMessage, watchCalls } from '../support/calls'
import type { Page } from '../support/page'
import { seeHeading, seeSuccess } from '../support/screen'
import { signIn, startStage, type Stage, type Supplier } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

let stage: Stage
let acme: Supplier

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/inventory.csv', { body: 'sku,name,category\n1,Boot,Boots\n' })
  acme = await stage.addSupplier('acme', { companyName: 'Acme Tools' })
  await stage.addConnection(acme, { name: 'Feed', url: stage.sourceServer.url('/inventory.csv') })
  await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })

/**
 * Sends the page fake pings by its own clock: while an hour of page time passes in a moment, the
 * server sends none, and the client would take the stream for dead.
 */
const keepAlive = (page: Page) =>
  page.addInitScript(() => {
    window.EventSource = class extends EventSource {
      constructor(url: string | URL, options?: EventSourceInit) {
        super(url, options)
        setInterval(() => this.dispatchEvent(new Event('ping')), 15_000)
      }
    }
  })

/** Opens a separate window, because an installed clock cannot be removed. */
async function openTimed(username: string): Promise<Page> {
  const window = await stage.openWindow('about:blank')
  await signIn(window, username)
  await keepAlive(window.page)
  await window.page.clock.install()
  return window.page
}

/** Opens a page, waits until it is idle, and records its calls from then on. */
async function openIdle(username: string, path: string, heading: string) {
  const page = await openTimed(username)
  await page.goto(path)
  await seeHeading(page, heading)
  await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0)
  await waitUntilIdle(page)
  return { page, calls: watchCalls(page) }
}

/** Advances the page's clock by an hour and waits until it is idle. */
async function passAnHour(page: Page) {
  await page.clock.runFor(60 * 60_000)
  await waitUntilIdle(page)
}

describe('fetched data', () => {
  it.each([
    ['admin', '/dashboard/super-admin', 'Supplier Management'],
    ['admin', '/dashboard/super-admin/cron-jobs', 'Cron Jobs Manager'],
    ['admin', '/dashboard/super-admin/operations', 'Operations'],
    ['admin', '/dashboard/super-admin/system', 'System'],
    ['admin', '/audit', 'Audit Log'],
    ['acme', '/supplier', 'Welcome, Acme Tools'],
    ['acme', '/supplier/retailers', 'Retailers'],
    ['acme', '/supplier/connections', 'Data Connections'],
    ['summit', '/retailer', 'Dashboard'],
    ['summit', '/retailer/inventory', 'Inventory Preview'],
    ['summit', '/retailer/shop', 'Connect your shop'],
  ])('is not refetched while %s leaves %s open', async (username, path, heading) => {
    const { page, calls } = await openIdle(username, path, heading)
    await passAnHour(page)
    expect(calls).toEqual([])
  })

  it('is not refetched when the window regains the focus or the network', async () => {
    const { page, calls } = await openIdle('acme', '/supplier/retailers', 'Retailers')
    await passAnHour(page)
    const other = await page.context().newPage()
    await other.bringToFront()
    await page.bringToFront()
    await page.evaluate(() => {
      for (const state of ['hidden', 'visible']) {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
        window.dispatchEvent(new Event('visibilitychange'))
      }
      window.dispatchEvent(new Event('focus'))
      window.dispatchEvent(new Event('offline'))
      window.dispatchEvent(new Event('online'))
    })
    await passAnHour(page)
    // A hidden window closes its stream and reopens it when shown.
    expect(calls.filter((procedure) => procedure !== 'live.changes')).toEqual([])
    await other.close()
  })

  it('is not refetched when returning to a page', async () => {
    const { page, calls } = await openIdle('acme', '/supplier/connections', 'Data Connections')
    await menu(page).getByRole('link', { name: 'Dashboard' }).click()
    await seeHeading(page, 'Welcome, Acme Tools')
    await passAnHour(page)
    await menu(page).getByRole('link', { name: 'Connections' }).click()
    await seeHeading(page, 'Data Connections')
    await waitUntilIdle(page)
    expect(calls).not.toContain('connections.list')
    expect(calls).not.toContain('session.current')
  })

  it('is refetched once after a change', async () => {
    const { page, calls } = await openIdle('summit', '/retailer/settings', 'Settings')
    await page.getByRole('button', { name: 'Edit Store Information' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Store Name').fill('Summit Outdoor')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await seeSuccess(page, 'Store information updated')
    await page.getByText('Summit Outdoor', { exact: true }).waitFor()
    await passAnHour(page)
    expect(calls).toEqual(['retailers.updateStoreInfo', 'retailers.own'])
  })

  it('is refetched once by Refresh', async () => {
    const { page, calls } = await openIdle('summit', '/retailer/inventory', 'Inventory Preview')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await passAnHour(page)
    expect(calls).toEqual(['retailers.inventory'])
  })
})

describe('a failed call', () => {
  it('is not repeated until the user presses Try Again', async () => {
    const page = await openTimed('summit')
    await failWithoutMessage(page, 'retailers.inventory')
    const calls = watchCalls(page)
    const countRequests = () =>
      calls.filter((procedure) => procedure === 'retailers.inventory').length
    await page.goto('/retailer/inventory')
    await page.getByText('Could not load inventory data preview').waitFor()
    await passAnHour(page)
    expect(countRequests()).toBe(1)
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect.poll(countRequests).toBe(2)
    await passAnHour(page)
    expect(countRequests()).toBe(2)
  })

  it('is not repeated when it is a mutation', async () => {
    const { page, calls } = await openIdle('summit', '/retailer/settings', 'Settings')
    await failWithoutMessage(page, 'retailers.updateStoreInfo')
    await page.getByRole('button', { name: 'Edit Store Information' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Something went wrong').waitFor()
    await passAnHour(page)
    expect(calls).toEqual(['retailers.updateStoreInfo'])
  })
})

describe('a sync started by the user', () => {
  it('is followed without polling, and its results are fetched once', async () => {
    const { asked } = setSlowSource(stage.sourceServer, '/inventory.csv', 'sku,name,category\n')
    const { page, calls } = await openIdle('acme', '/supplier/connections', 'Data Connections')
    await page.getByRole('button', { name: 'Sync now Feed' }).click()
    const response = await asked
    const history = page.getByRole('table', { name: 'Run history' })
    await history.getByText('Running', { exact: true }).waitFor()
    await passAnHour(page)
    expect(new Set(calls)).toEqual(
      new Set(['connections.sync', 'connections.list', 'connections.runs', 'receivedFiles.list']),
    )

    calls.length = 0
    response.end('1,Boot,Boots\n2,Hat,Hats\n')
    await page.getByText('Synced', { exact: true }).waitFor()
    await passAnHour(page)
    expect(calls.toSorted()).toEqual([
      'columnPolicy.get',
      'connections.findings',
      'connections.list',
      'connections.runs',
      'publishing.versions',
      'receivedFiles.list',
    ])
  })
})
