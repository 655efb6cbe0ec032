import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { insertParams } from '../support/insert-params'
import { readMoves, watchMoves } from '../support/moves'
import { MAX_WEIGHT, readPages, weigh } from '../support/page-weights'
import { seeApplication, seeHeading } from '../support/screen'
import { PASSWORD, startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

/** With the font of the sign-in page, compressed. */
const FIRST_LOAD_MAX_BYTES = 223_000

/** Of a page until it is idle. */
const LIMITS = {
  auth: { requests: 5, bytes: 223_000 },
  page: { requests: 16, bytes: 360_000 },
  // With the parts that come after it.
  shop: { requests: 21, bytes: 435_000 },
  supplier: { requests: 21, bytes: 385_000 },
}

let stage: Stage
/** Values of the variable parts of paths. */
const params: Record<string, string> = {}

beforeAll(async () => {
  stage = await startStage()
  const rows = Array.from({ length: 30 }, (_, row) => `SKU-${row},Boots,${row}\n`)
  stage.sourceServer.set('/inventory.csv', { body: `sku,category,stock\n${rows.join('')}` })
  const acme = await stage.addSupplier('acme')
  const retailer = await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
  await stage.addConnection(acme, { name: 'Feed', url: stage.sourceServer.url('/inventory.csv') })
  Object.assign(params, { supplierId: String(acme.id), retailerId: String(retailer.id) })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

/** The headers and the size over the wire of a file, as a browser requests it. */
async function ask(path: string) {
  const headers = { 'accept-encoding': 'br, gzip' }
  const { headers: answer } = await fetch(stage.product.url + path, { method: 'HEAD', headers })
  return {
    path,
    bytes: Number(answer.get('content-length')),
    policy: answer.get('cache-control'),
  }
}

/** The paths that a text names: scripts, styles and, in a style, the font of Latin text. */
function pathsIn(text: string): string[] {
  return [
    ...text.matchAll(/(?:src|href)="(\/[^"]+)"/g),
    ...text.matchAll(/url\(([^)]+latin-wght[^)]+)\)/g),
  ].flatMap(([, path]) => path ?? [])
}

describe('the first load of /auth', () => {
  it('is small over the wire, and all but the page is cached for good', async () => {
    const page = await (await fetch(`${stage.product.url}/auth`)).text()
    const named = pathsIn(page)
    const style = named.find((path) => path.endsWith('.css')) ?? ''
    const fonts = pathsIn(await (await fetch(stage.product.url + style)).text())
    expect(fonts).toHaveLength(1)
    const assets = [...named, ...fonts].filter((path) => path.startsWith('/assets/'))
    const files = await Promise.all([...new Set(['/auth', '/favicon.svg', ...assets])].map(ask))
    expect(files.map(({ path }) => path.replace(/-[\w-]{8}\./, '.'))).toEqual([
      '/auth',
      '/favicon.svg',
      '/assets/index.js',
      '/assets/index.css',
      '/assets/inter-latin-wght-normal.woff2',
    ])
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(total).toBeGreaterThan(100_000)
    expect(total).toBeLessThan(FIRST_LOAD_MAX_BYTES)
    expect(new Set(files.slice(2).map(({ policy }) => policy))).toEqual(
      new Set(['public, max-age=31536000, immutable']),
    )
  })
})

/** What a browser loads until a page is idle. */
async function measure(username: string | null, path: string) {
  const { page } = await stage.openAs(username, 'about:blank')
  const session = await page.context().newCDPSession(page.mainFrame())
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  let requests = 0
  let bytes = 0
  session.on('Network.requestWillBeSent', ({ request }) => {
    // By which the test waits.
    if (!request.url.endsWith('/healthz')) requests += 1
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await page.goto(insertParams(path, params))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await waitUntilIdle(page)
  const blocking = await page.evaluate(() =>
    (
      performance.getEntriesByType('resource') as (PerformanceResourceTiming & {
        renderBlockingStatus: string
      })[]
    )
      .filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking')
      .map(({ name }) => name),
  )
  return { requests, bytes, blocking }
}

describe('a browser', () => {
  it.each([
    [null, '/auth', LIMITS.auth],
    ['admin', '/', LIMITS.page],
    ['acme', '/supplier', LIMITS.page],
    ['acme', '/supplier/connections', LIMITS.page],
    ['acme', '/supplier/retailers', LIMITS.page],
    ['summit', '/retailer', LIMITS.page],
    ['summit', '/retailer/shop', LIMITS.shop],
    ['summit', '/retailer/shop?shop=woocommerce', LIMITS.shop],
    ['acme', '/supplier/retailers/$retailerId/shop', LIMITS.shop],
    ['admin', '/dashboard/super-admin/suppliers/$supplierId', LIMITS.supplier],
  ])('loads little for %s at %s', async (username, path, limit) => {
    const { requests, bytes, blocking } = await measure(username, path)
    expect(blocking).toEqual([])
    expect(requests).toBeLessThanOrEqual(limit.requests)
    expect(bytes).toBeLessThan(limit.bytes)
  })
})

describe('the first data of a page', () => {
  it.each([
    ['admin', '/dashboard/super-admin/operations', 'Nothing is running'],
    ['admin', '/dashboard/super-admin/cron-jobs', 'backup'],
    ['acme', '/supplier/retailers', 'Summit Sports'],
    ['admin', '/dashboard/super-admin/suppliers/$supplierId', 'Summit Sports'],
    ['acme', '/supplier/retailers/$retailerId', 'Username: summit'],
    ['acme', '/supplier/retailers/$retailerId/preview', 'SKU-1'],
    ['acme', '/supplier/retailers/$retailerId/shop', 'Not connected'],
    ['acme', '/supplier/connections/1/history', 'Published'],
    ['acme', '/supplier/inventory', 'SKU-1'],
    ['acme', '/api-keys', 'No keys'],
    ['acme', '/alerts', 'No webhooks'],
    ['summit', '/retailer/inventory', 'SKU-1'],
    ['summit', '/retailer/settings', 'Summit Sports'],
    ['summit', '/retailer/shop?shop=woocommerce', 'Not connected'],
  ])('is shown to %s at %s before any call is answered', async (username, path, text) => {
    const { page } = await stage.openAs(username, 'about:blank')
    await page.route('**/trpc/**', () => undefined)
    await page.goto(insertParams(path, params))
    await page.locator('#content').getByText(text).first().waitFor()
    await page.unrouteAll()
  })
})

describe('the form of /auth', () => {
  it('comes before the files of the application, which it does not need', async () => {
    const { page } = await stage.openAs(null, 'about:blank')
    const session = await page.context().newCDPSession(page.mainFrame())
    await session.send('Network.enable')
    const priorities = new Map<string, string>()
    session.on('Network.requestWillBeSent', ({ request }) =>
      priorities.set(/\.(?:js|css)$/.exec(request.url)?.[0] ?? '', request.initialPriority),
    )
    await page.goto('/auth')
    await seeApplication(page)
    // As low as browsers let each of them be.
    expect([priorities.get('.js'), priorities.get('.css')]).toEqual(['Low', 'High'])
  })

  it('is shown as a whole: what is on the way does not move what is there', async () => {
    const html = await (await fetch(`${stage.product.url}/auth`)).text()
    const half = html.indexOf('type="password"')
    expect(half).toBeGreaterThan(0)
    stage.sourceServer.set('/auth', {
      handler(_request, response) {
        response.writeHead(200, { 'content-type': 'text/html' }).write(html.slice(0, half))
        setTimeout(() => response.end(html.slice(half)), 500)
      },
    })
    const { page, expected } = await stage.openAs(null, 'about:blank')
    // The other files of the page, which this server does not have.
    expected.push(/status of 404/)
    await watchMoves(page)
    await page.goto(stage.sourceServer.url('/auth'))
    await page.getByRole('button', { name: 'Login' }).waitFor()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(await readMoves(page)).toEqual([])
  })

  it('keeps what is typed, and the focus, when the scripts come', async () => {
    const { page } = await stage.openAs(null, 'about:blank')
    let release: () => void = () => undefined
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      await isReleased
      await route.continue()
    })
    await page.goto('/auth', { waitUntil: 'commit' })
    await page.getByLabel('Username').fill('acme')
    await page.getByLabel('Password', { exact: true }).fill('half')
    release()
    await seeApplication(page)
    const field = page.getByLabel('Password', { exact: true })
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('acme')
    await expect.poll(() => field.inputValue()).toBe('half')
    await expect
      .poll(() => field.evaluate((element) => element === document.activeElement))
      .toBe(true)
  })

  it('signs in, and says why not, before any script has come', async () => {
    const { page, expected } = await stage.openAs(null, 'about:blank')
    expected.push(/401/, /ERR_FAILED/)
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/auth?next=%2Fsupplier%2Fretailers')
    await page.getByLabel('Username').fill('acme')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Login' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Login failed').waitFor()
    await alert.getByText('Invalid username or password').waitFor()
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('acme')
    await page.unrouteAll()
    // The application says so too.
    await page.reload()
    await alert.getByText('Login failed').waitFor()
    await seeApplication(page)
    await alert.getByText('Invalid username or password').waitFor()
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/auth?next=%2Fsupplier%2Fretailers')
    await page.getByLabel('Username').fill('acme')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Login' }).click()
    await seeHeading(page, 'Retailers')
  })
})

describe('what a page loads before it is shown', () => {
  const { auth, others } = readPages()

  it.each([auth, ...others])('is small: $name', (page) => {
    const scripts = weigh(page, '.js')
    expect(scripts).toBeGreaterThan(100_000)
    const most = page.isFirst ? MAX_WEIGHT.first : MAX_WEIGHT.second
    expect(scripts).toBeLessThan(page === auth ? MAX_WEIGHT.auth : most)
    expect(weigh(page, '.css')).toBeLessThan(MAX_WEIGHT.styles)
  })

  it('is known of every page', () => {
    expect(others.map(({ name }) => name.split('-')[0])).toEqual([
      'administrator',
      'supplier',
      'retailer',
      'upload',
      'invitation',
      'account',
      'api',
      'api',
      'card.page',
      'comparison.page',
      'connection',
      'directory.page',
      'forgotten',
      'groups.page',
      'merged',
      'new',
      'people',
      'retailer',
      'rows',
      'sessions.page',
      'setup.page',
      'shop',
      'system.page',
    ])
  })
})
