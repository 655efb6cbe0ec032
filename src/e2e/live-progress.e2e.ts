import type { Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { setSlowFeed } from '../server/testing/slow-feed'
import { openTab } from './browser'
import { openCable } from './cable'
import { routeCalls, watchCalls } from './calls'
import { until } from './rest-client'
import { cellsOf, columnsOf, fillLogin, rowOf, seeHeading, seePath, seeSuccess } from './screen'
import { PASSWORD, readConnection, signIn, startStage, type Stage } from './stage'
import { seeRest } from './traffic'

const CONNECTIONS = '/supplier/connections'
const CSV = 'sku,name\nA1,Boot\n'
/** 20,000 rows: more than a reader looks at before it counts. */
const START = `sku,name\n${'A1,Boot\n'.repeat(20_000)}`
const REST = 'A2,Hat\n'.repeat(10_000)

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const health = (page: Page, name: string) => page.getByRole('region', { name: `Health of ${name}` })
const history = (page: Page) => page.getByRole('table', { name: 'Run history' })
const results = async (page: Page) => {
  const rows = await history(page).getByRole('row').all()
  return Promise.all(rows.slice(1).map(async (row) => (await cellsOf(row)).slice(1, 3).join(': ')))
}

/** A supplier whose first sync is over, and whose next one waits with its second half. */
async function openSlow(username: string) {
  const path = `/${username}.csv`
  const name = `${username} feed`
  stage.feedServer.set(path, { body: CSV })
  const supplier = await stage.addSupplier(username)
  const { id } = await stage.addConnection(supplier, { name, url: stage.feedServer.url(path) })
  const length = `${START.length + REST.length}`
  const feed = setSlowFeed(stage.feedServer, path, START, { 'content-length': length })
  const { page } = await stage.openAs(username, CONNECTIONS)
  await health(page, name).getByText('Synced', { exact: true }).waitFor()
  return { supplier, name, id, page, feed, path }
}

const syncButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Sync now ${name}` })

/** Waits until the page shows how far the sync has come. */
const seeProgress = (page: Page, name: string) =>
  health(page, name).getByText('156.3 KB of 224.6 KB · 20,000 rows').waitFor()

describe('a sync under way', () => {
  it('shows how far it has come, and at its end what it has found, in every window', async () => {
    const { name, page, feed } = await openSlow('watched')
    const other = await page.context().newPage()
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
    const findings = page.getByRole('region', { name: 'What the last sync found' })
    await findings.getByText('30,000', { exact: true }).waitFor()
    await findings.getByText('Passed through byte for byte.').waitFor()
    await other.close()
  })

  it('is cancelled by its button, which the history tells, and lets go of the source', async () => {
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
      .poll(async () => (await cellsOf(rowOf(history(page), 'Cancelled by'))).slice(3, 5))
      .toEqual(['156.3 KB', '20,000'])
    await health(page, name).getByText('Last 20 runs: 1 cancelled, 1 published').waitFor()
    expect((await readConnection(supplier)).lastError).toBe(null)
  })

  it('that starts by itself is seen all the same, and so is why it failed', async () => {
    const { supplier, name, id, page, path } = await openSlow('unattended')
    stage.feedServer.set(path, { status: 503 })
    await supplier.rest.send('POST', `/api/connections/${id}/sync`)
    await health(page, name).getByText('Failed', { exact: true }).waitFor()
    await expect
      .poll(() => results(page))
      .toEqual([expect.stringMatching(/^Failed: The server answered 503/), 'Published: New file'])
  })

  it('brings a new file to the retailer’s open dashboard', async () => {
    stage.feedServer.set('/shop.csv', { body: CSV })
    const supplier = await stage.addSupplier('shopped')
    const url = stage.feedServer.url('/shop.csv')
    const { id } = await stage.addConnection(supplier, { name: 'Shop feed', url })
    await stage.addRetailer(supplier, 'shop')
    const { page } = await stage.openAs('shop', '/retailer')
    await page.getByText('1 row', { exact: true }).waitFor()
    const [retailer] = (await supplier.rest.send('GET', '/api/retailers')).body as { id: number }[]
    await supplier.rest.send('PATCH', `/api/retailers/${retailer?.id}`, { syncFrequency: 0 })
    stage.feedServer.set('/shop.csv', { body: `${CSV}A2,Hat\n` })
    await supplier.rest.send('POST', `/api/connections/${id}/sync`)
    await page.getByText('2 rows').waitFor()
  })
})

describe('the live channel', () => {
  /** How many streams the page has open. */
  function watchStreams(page: Page) {
    const open = new Set<Request>()
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/trpc/live.changes') open.add(request)
    })
    page.on('requestfinished', (request) => open.delete(request))
    page.on('requestfailed', (request) => open.delete(request))
    return () => open.size
  }

  it('is one for a window, however many pages it shows', async () => {
    await openSlow('moving')
    const { page } = await stage.openAs('moving', 'about:blank')
    const count = watchStreams(page)
    await page.goto(CONNECTIONS)
    await expect.poll(count).toBe(1)
    for (const [link, heading] of [
      ['Dashboard', 'Welcome, moving company'],
      ['Retailers', 'Retailers'],
      ['Inventory Preview', 'Inventory Preview'],
      ['Connections', 'Data Connections'],
    ] as const) {
      await page.getByRole('navigation').getByRole('link', { name: link }).click()
      await seeHeading(page, heading)
      await seeRest(page)
      expect(count()).toBe(1)
    }
  })

  it('closes on sign-out, and opens for the next one to sign in', async () => {
    await openSlow('leaving')
    const { page } = await stage.openAs('leaving', 'about:blank')
    const count = watchStreams(page)
    await page.goto(CONNECTIONS)
    await expect.poll(count).toBe(1)
    await page.getByRole('button', { name: 'Logout' }).first().click()
    await seePath(page, '/auth')
    await expect.poll(count).toBe(0)
    await fillLogin(page, 'leaving', PASSWORD)
    await seePath(page, '/supplier')
    await expect.poll(count).toBe(1)
  })

  it('shows the way to the sign-in when the account is deactivated meanwhile', async () => {
    const { supplier, page } = await openSlow('deactivated')
    await stage.admin.send('PATCH', `/api/suppliers/${supplier.id}`, { isActive: false })
    await seePath(page, '/auth')
  })

  it('survives a new password, which makes a new session', async () => {
    const { supplier, name, id, page, feed } = await openSlow('renewed')
    const data = { currentPassword: PASSWORD, newPassword: 'another horse' }
    const answer = await page.context().request.post('/api/admin/reset-password', { data })
    expect(answer.status()).toBe(200)
    await supplier.rest.signIn('renewed', 'another horse')
    await supplier.rest.send('POST', `/api/connections/${id}/sync`)
    await seeProgress(page, name)
    await seePath(page, CONNECTIONS)
    ;(await feed.asked).end()
  })

  it('comes back after the network was away, and everything is asked for once', async () => {
    const { supplier, id, name } = await openSlow('stranded')
    const cable = await openCable(stage.product.url)
    const { page, close } = await openTab(stage.browser, cable.url)
    await page.goto('/auth')
    await fillLogin(page, 'stranded', PASSWORD)
    await seePath(page, '/supplier')
    await page.goto(CONNECTIONS)
    await health(page, name).getByText('Synced', { exact: true }).waitFor()

    cable.cut()
    // No stream tells of a new name.
    await supplier.rest.send('PATCH', `/api/connections/${id}`, { name: 'Renamed meanwhile' })
    const calls = watchCalls(page)
    cable.mend()
    await page.getByText('Renamed meanwhile').waitFor()
    await seeRest(page)
    expect(calls.filter((procedure) => procedure === 'connections.list')).toHaveLength(1)
    await close()
    await cable.close()
  })

  it('is tried again when it could not be had', async () => {
    await stage.addSupplier('refused')
    const window = await stage.openWindow('about:blank')
    const { page } = window
    await signIn(window, 'refused')
    await page.clock.install()
    let attempts = 0
    await routeCalls(page, 'live.changes', async (route) => {
      attempts += 1
      if (attempts === 1) await route.fulfill({ status: 429 })
      else await route.continue()
    })
    await page.goto('/supplier')
    await expect.poll(() => attempts).toBe(1)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect
      .poll(async () => {
        await page.clock.runFor(10_000)
        return attempts
      })
      .toBe(2)
  })
})
