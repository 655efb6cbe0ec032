import type { Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openBreakableNetwork } from '../../server/testing/servers/breakable-network'
import { openTab } from '../support/browser'
import { routeCalls, UNREACHABLE, watchCalls } from '../support/calls'
import { CONNECTIONS, health, openConnected } from '../support/connection-screens'
import type { Page } from '../support/page'
import { fillLogin, seeError, seeHeading, seePath } from '../support/screen'
import { PASSWORD, signIn, startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

const FILE = '/stock.csv'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
beforeEach(() => stage.sourceServer.set(FILE, { body: 'sku,name\nA1,Boot\n' }))
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const openConnections = (username: string) => openConnected(stage, username, FILE)

describe('the event stream', () => {
  /** Returns a function that counts the open streams of the page. */
  function watchStreams(page: Page) {
    const open = new Set<Request>()
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/trpc/live.changes') open.add(request)
    })
    page.on('requestfinished', (request) => open.delete(request))
    page.on('requestfailed', (request) => open.delete(request))
    return () => open.size
  }

  it('stays the same while the window navigates between pages', async () => {
    await openConnections('moving')
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
      await waitUntilIdle(page)
      expect(count()).toBe(1)
    }
  })

  it('closes on sign-out and reopens on the next sign-in', async () => {
    await openConnections('leaving')
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

  it('redirects to the sign-in when the account is deactivated', async () => {
    const { supplier, page } = await openConnections('deactivated')
    await stage.admin.send('PATCH', `/api/suppliers/${supplier.id}`, { isActive: false })
    await seePath(page, '/auth')
  })

  it('continues after a password change, which creates a new session', async () => {
    const { supplier, name, connection, page } = await openConnections('renewed')
    const data = { currentPassword: PASSWORD, newPassword: 'another horse' }
    const response = await page.context().request.post('/api/admin/reset-password', { data })
    expect(response.status()).toBe(200)
    await supplier.rest.signIn('renewed', 'another horse')
    stage.sourceServer.set(FILE, { status: 503 })
    await supplier.rest.send('POST', `/api/connections/${connection.id}/sync`)
    await health(page, name).getByText('Failed', { exact: true }).waitFor()
    await seePath(page, CONNECTIONS)
  })

  it('reconnects after a network failure and refetches everything once', async () => {
    const { supplier, name, connection } = await openConnections('stranded')
    const network = await openBreakableNetwork(stage.product.url)
    const { page, close } = await openTab(stage.browser, network.url)
    await page.goto('/auth')
    await fillLogin(page, 'stranded', PASSWORD)
    await seePath(page, '/supplier')
    await page.goto(CONNECTIONS)
    await health(page, name).getByText('Synced', { exact: true }).waitFor()

    const menu = page.getByRole('navigation', { name: 'Main' })
    const lost = page.getByRole('status').filter({ hasText: 'Connection lost, reconnecting …' })
    await expect.poll(() => lost.count()).toBe(0)

    network.break()
    await lost.getByText(/What you see is as of \d+:\d\d/).waitFor()
    // Neither this dialog nor this page has been loaded.
    await page.getByRole('button', { name: `Edit ${name}` }).click()
    await seeError(page, UNREACHABLE)
    await menu.getByRole('link', { name: 'Retailers' }).click()
    await page.getByText(UNREACHABLE).last().waitFor()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await menu.getByRole('link', { name: 'Connections' }).click()
    await health(page, name).waitFor()
    // The stream does not report a new name, so only a refetch shows it.
    await supplier.rest.send('PATCH', `/api/connections/${connection.id}`, {
      name: 'Renamed meanwhile',
    })
    const calls = watchCalls(page)
    network.repair()
    await page.getByText('Renamed meanwhile').waitFor()
    await waitUntilIdle(page)
    expect(calls.filter((procedure) => procedure === 'connections.list')).toHaveLength(1)
    await expect.poll(() => lost.count()).toBe(0)
    await close()
    await network.close()
  })

  it('is retried when it was refused', async () => {
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
