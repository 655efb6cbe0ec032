import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Page } from '../support/page'
import { fillLogin, seeHeading, seePath } from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'

const PATH = '/api-docs'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  const acme = await stage.addSupplier('acme')
  await stage.addRetailer(acme, 'summit')
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** The button that expands a call. */
const callButton = (page: Page, text: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name: text })

const seeCount = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

describe('the API page', () => {
  it.each([
    ['admin', '/'],
    ['acme', '/supplier'],
    ['summit', '/retailer'],
  ])('is linked from the user menu of %s', async (username, path) => {
    const { page } = await stage.openAs(username, path)
    await page.getByRole('button', { name: `account of ${username}` }).click()
    await page.getByRole('menuitem', { name: 'API', exact: true }).click()
    await seeHeading(page, 'API')
    await seePath(page, PATH)
    await callButton(page, 'Get the signed-in user').waitFor()
    await expect.poll(() => page.title()).toBe('API · Stockbridge')
  })

  it('redirects to the sign-in, and back with its query', async () => {
    const { page } = await stage.openAs(null, `${PATH}?q=backup`)
    await seePath(page, '/auth')
    await fillLogin(page, 'acme', PASSWORD)
    await seeHeading(page, 'API')
    await expect.poll(() => page.getByLabel('Search calls and events').inputValue()).toBe('backup')
  })

  it('lists the calls of the role, with the feeds, and no switch to those of others', async () => {
    const { page } = await stage.openAs('summit', PATH)
    await callButton(page, 'Change your own store, as a retailer').waitFor()
    await callButton(page, '/feeds/{token}/inventory.csv').first().waitFor()
    await expect.poll(() => callButton(page, 'Change a connection').count()).toBe(0)
    await expect.poll(() => page.getByLabel('Show all calls').count()).toBe(0)
  })

  it('lists every call of the OpenAPI document by tag, with its callers, for administrators', async () => {
    const { page } = await stage.openAs('admin', PATH)
    await callButton(page, 'List all suppliers').waitFor()
    await expect.poll(() => callButton(page, /as a retailer/).count()).toBe(0)
    await page.getByLabel('Show all calls').check()
    await page.waitForURL((url) => url.searchParams.get('all') === 'true')
    const { paths, tags, webhooks } = (await (
      await page.context().request.get('/api/openapi.json')
    ).json()) as Record<'paths' | 'webhooks', Record<string, object>> & { tags: { name: string }[] }
    const count = Object.values(paths).flatMap((methods) => Object.keys(methods)).length
    const eventCount = Object.keys(webhooks).length
    await seeCount(page, `${count} calls, ${eventCount} events`)
    const rows = page.getByRole('main').locator('h3').getByRole('button')
    await expect.poll(() => rows.count()).toBe(count + eventCount)
    await expect
      .poll(() => page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts())
      .toEqual([...tags.map(({ name }) => name), 'Events'])
    await callButton(page, /Change a connection.*Suppliers.*Administrators/).waitFor()
  })

  it('searches calls, keeps the search in the URL, and says when nothing matches', async () => {
    const { page } = await stage.openAs('acme', PATH)
    const search = page.getByLabel('Search calls and events')
    await search.fill('delete feed address')
    await seeCount(page, '1 call, 0 events')
    await callButton(page, 'End all addresses from which a shop reads its file').waitFor()
    await page.waitForURL((url) => url.searchParams.get('q') === 'delete feed address')
    await search.fill('nothing of the kind')
    await page.getByText('No matching calls or events').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await callButton(page, 'Get the signed-in user').waitFor()
  })

  it('expands a call to its parameters, body, responses and a copyable example', async () => {
    const { page } = await stage.openWindow('about:blank', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.context().request.post('/api/login', {
      data: { username: 'summit', password: PASSWORD },
    })
    await page.goto(PATH)
    const call = callButton(page, 'Change your own store, as a retailer')
    await call.click()
    await expect.poll(() => call.getAttribute('aria-expanded')).toBe('true')
    for (const part of ['Parameters', 'Body', 'Response 200', 'Errors', 'Example']) {
      await page.getByRole('heading', { name: part, exact: true }).waitFor()
    }
    const body = page
      .locator('section', { has: page.getByRole('heading', { name: 'Body', exact: true }) })
      .last()
    await body.getByText('1 to 200 characters').waitFor()
    const example = [
      'curl -H "Authorization: Bearer $STOCKBRIDGE_KEY"',
      '-X PATCH',
      `-H 'content-type: application/json'`,
      `-d '{"storeName":"Summit Sports"}'`,
      `'${stage.product.url}/api/retailers/1/store-info'`,
    ].join(' \\\n  ')
    await expect.poll(() => page.locator('pre').innerText()).toBe(example)
    await page.getByRole('button', { name: /^Copy example/ }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(example)
    await call.click()
    await expect.poll(() => page.locator('pre').count()).toBe(0)
  })

  it('shows how events are sent and received, and each with its fields and an example', async () => {
    const { page } = await stage.openAs('acme', '/alerts')
    await page.getByRole('link', { name: 'What they contain' }).click()
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    await page.getByLabel('Search calls and events').fill('feed.published')
    await seeCount(page, '0 calls, 1 event')
    await page.getByText('webhook-signature').first().waitFor()
    await page.getByText('sent again after 5 s, 1 min').waitFor()
    await callButton(page, /feed\.published.*New file.*Suppliers.*Administrators/).click()
    await page.getByText('Rows of the new file').waitFor()
    await expect.poll(() => page.locator('pre').innerText()).toContain('"type": "feed.published"')
    await page.getByRole('button', { name: 'Copy example of feed.published' }).waitFor()
  })

  it('scrolls to a group from the table of contents', async () => {
    const { page } = await stage.openAs('admin', PATH)
    const index = page.getByRole('navigation', { name: 'Parts of the API' })
    await index.getByRole('link', { name: 'Backups' }).click()
    const heading = page.getByRole('heading', { name: 'Backups', exact: true })
    await expect
      .poll(() => heading.evaluate((title) => title.getBoundingClientRect().top < 800))
      .toBe(true)
  })

  it('shows why it could not be loaded, and retries', async () => {
    const { page, expected } = await stage.openAs('acme', '/supplier')
    expected.push(/ERR_FAILED/)
    await page.route('**/api/openapi.json', (route) => route.abort())
    await page.getByRole('button', { name: 'account of acme' }).click()
    await page.getByRole('menuitem', { name: 'API', exact: true }).click()
    await page.getByText('The API could not be loaded').waitFor()
    await page.getByText('The server could not be reached.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await callButton(page, 'Get the signed-in user').waitFor()
  })

  it('is not loaded by other pages', async () => {
    const { page } = await stage.openAs(null, 'about:blank')
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    await page.goto('/auth')
    await seeHeading(page, 'Login')
    await expect.poll(() => scripts.some((url) => url.includes('/assets/'))).toBe(true)
    expect(scripts.filter((url) => /api-docs|openapi/.test(url))).toEqual([])
  })
})
