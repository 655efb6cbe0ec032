import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { PAGE_PATHS } from '../../shared/page-paths'
import { expectAccessible } from '../support/axe'
import { holdCalls, leaveOutFirstData } from '../support/calls'
import { holdFile } from '../support/held-file'
import { insertParams } from '../support/insert-params'
import type { Page } from '../support/page'
import { startStage, type Stage } from '../support/stage'

let stage: Stage
/** Values of the variable parts of paths. */
const params: Record<string, string> = {}

beforeAll(async () => {
  stage = await startStage()
  const rows = Array.from({ length: 30 }, (_, row) => `SKU-${row},Boots,${row}\n`)
  stage.sourceServer.set('/inventory.csv', { body: `sku,category,stock\n${rows.join('')}` })
  const acme = await stage.addSupplier('acme', { companyName: 'Acme Tools' })
  const url = stage.sourceServer.url('/inventory.csv')
  const { id } = await stage.addConnection(acme, { name: 'Feed', url })
  const retailer = await stage.addRetailer(acme, 'summit', {
    storeName: 'Summit Sports',
    visibilitySettings: { allProducts: false, categories: ['Boots'] },
  })
  Object.assign(params, {
    supplierId: String(acme.id),
    retailerId: String(retailer.id),
    userId: String(retailer.userId),
    connectionId: String(id),
  })
  const body = 'sku,category,stock\nSKU-1,Boots,1\n'
  await holdFile(stage, acme, { id, path: '/inventory.csv', body })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** The user who sees a page. */
function visitorOf(path: string): string {
  if (path.startsWith('/supplier') || ['/alerts', '/people'].includes(path)) return 'acme'
  return path.startsWith('/retailer') ? 'summit' : 'admin'
}

const SIGNED_OUT = /^\/(?:auth|forgotten-password|invitation|new-password|upload\/.*)$/
const SIGNED_IN = PAGE_PATHS.filter((path) => !SIGNED_OUT.test(path)).map(
  (path) => [path, visitorOf(path)] as const,
)

/** What a page needs to show its frame. */
const FRAME = new Set(['session.current', 'app.info', 'live.changes'])

/** Handles the calls of a page for its own data; those of the frame are answered. */
async function routeData(page: Page, handle: (route: Route, calls: string[]) => Promise<void>) {
  await leaveOutFirstData(page)
  await page.route('**/trpc/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const calls = decodeURIComponent(pathname.slice('/trpc/'.length)).split(',')
    return calls.some((call) => FRAME.has(call)) ? route.continue() : handle(route, calls)
  })
}

/** What the API page is made from. */
const DESCRIPTION = '**/api/openapi.json'

const failed = { message: '', code: -32_603, data: { code: 'INTERNAL_SERVER_ERROR' } }

/** Waits until the frame is there, and what is in it has been drawn. */
async function seeFrame(page: Page): Promise<void> {
  await page.getByRole('main').waitFor()
  await page.getByRole('button', { name: /account of/ }).waitFor()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

/** Waits until nothing of the page loads any more. */
async function seeLoaded(page: Page): Promise<void> {
  await seeFrame(page)
  const loading = page.locator('main').locator('.mantine-Skeleton-root, .mantine-Loader-root')
  await expect.poll(() => loading.count()).toBe(0)
}

describe('axe finds nothing', () => {
  it.each(SIGNED_IN)('on %s of %s while it loads', async (path, visitor) => {
    const { page } = await stage.openAs(visitor, 'about:blank')
    await routeData(page, () => Promise.resolve())
    await page.route(DESCRIPTION, () => undefined)
    await page.goto(insertParams(path, params))
    await seeFrame(page)
    await expectAccessible(page)
  })

  it.each(SIGNED_IN)('on %s of %s when its data cannot be loaded', async (path, visitor) => {
    const { page, expected } = await stage.openAs(visitor, 'about:blank')
    // What the browser says of the description.
    expected.push(/status of 500/)
    await routeData(page, (route, calls) =>
      route.fulfill({ json: calls.map(() => ({ error: failed })) }),
    )
    await page.route(DESCRIPTION, (route) => route.fulfill({ status: 500 }))
    await page.goto(insertParams(path, params))
    await seeLoaded(page)
    await expectAccessible(page)
  })

  it.each([
    ['/supplier/connections', 'acme'],
    ['/supplier/connections/$connectionId/history', 'acme'],
    ['/supplier/connections/$connectionId/comparison', 'acme'],
    ['/supplier/inventory', 'acme'],
    ['/alerts', 'acme'],
    ['/retailer/inventory', 'summit'],
    ['/dashboard/super-admin/suppliers/$supplierId', 'admin'],
  ])('on %s of %s while a file is held', async (path, visitor) => {
    const { page } = await stage.openAs(visitor, insertParams(path, params))
    await seeLoaded(page)
    await expectAccessible(page)
  })

  it('in a dialog whose categories are loading', async () => {
    const { page } = await stage.openAs('acme', '/supplier/retailers')
    await holdCalls(page, 'categories.overview')
    await page.getByRole('button', { name: 'Settings of Summit Sports' }).click()
    await page.getByLabel('Loading the categories').waitFor()
    await expectAccessible(page)
  })

  it('under the strip that says that the connection is lost', async () => {
    const { page, expected } = await stage.openAs('acme', 'about:blank')
    expected.push(/ERR_FAILED/)
    await page.route('**/trpc/live.changes**', (route) => route.abort())
    await page.goto('/supplier')
    await page.getByText('Connection lost, reconnecting …').waitFor()
    await expectAccessible(page)
  })

  it.each([
    ['/nowhere', 'acme', '404 Page Not Found'],
    ['/supplier/retailers/999', 'acme', 'Retailer not found'],
    ['/dashboard/super-admin/suppliers/999', 'admin', 'Supplier not found'],
  ])('on %s of %s, which does not exist', async (path, visitor, text) => {
    const { page } = await stage.openAs(visitor, path)
    await page.getByText(text).waitFor()
    await expectAccessible(page)
  })
})
