// npm run screenshots: takes the screenshots of the demo, in docs/screenshots; with names, only those.
import './runtime.mjs'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { chromium } from 'playwright-core'

import { DEMO_PASSWORD, startDemo } from './start-demo.mjs'
import { ensureChromium } from './system-programs.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'docs/screenshots')
const HISTORY = '/supplier/connections/1/history'
const sample = readFileSync(join(root, 'data/samples/outdoor-catalogue.csv'), 'utf8')
const scratch = mkdtempSync(join(tmpdir(), 'stockbridge-screenshots-'))
/** The file that the demo publishes; written anew between syncs. */
const catalogue = join(scratch, 'outdoor-catalogue.csv')
writeFileSync(catalogue, sample)

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Picture
 * @property {string} name
 * @property {string} [user] who signs in
 * @property {string} path
 * @property {string} ready a text by which the page is known to be complete
 * @property {number} [scale] smaller for the pages whose background makes large files
 * @property {boolean} [isPhone] in the dark scheme as well
 * @property {(page: Page) => Promise<string | void>} [before] returns another path, opened by somebody who is not signed in
 * @property {(page: Page) => Promise<void>} [prepare]
 */

/** @type {Picture[]} */
const pictures = [
  { name: 'sign-in', path: '/auth', ready: 'Or continue with', scale: 1 },
  {
    name: 'forgotten-password',
    path: '/forgotten-password',
    ready: 'Forgotten password',
    scale: 1,
  },
  {
    name: 'registration',
    path: '/auth?mode=register',
    ready: 'Create your supplier account',
    scale: 1,
  },
  { name: 'not-found', user: 'northbeck', path: '/nowhere', ready: '404 Page Not Found', scale: 1 },
  {
    name: 'forbidden',
    user: 'northbeck',
    path: '/retailer',
    ready: 'You cannot open this page',
    scale: 1,
  },
  {
    name: 'palette',
    user: 'northbeck',
    path: '/supplier',
    ready: 'Welcome',
    scale: 1,
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('sum')
      await page.getByText('Summit Sports').first().waitFor()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'second-factor',
    user: 'summit',
    path: '/retailer/settings',
    ready: 'Second factor',
    scale: 1,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Turn on…' }).click()
      await page.getByRole('dialog').waitFor()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'passkeys',
    user: 'summit',
    path: '/retailer/settings',
    ready: 'Second factor',
    scale: 1,
    prepare: async (page) => {
      // Passkeys need a host with a name.
      const address = page.url().replace('127.0.0.1', 'localhost')
      await page.request.post(new URL('/api/login', address).href, {
        data: { username: 'summit', password: DEMO_PASSWORD },
      })
      await page.goto(address)
      await page.getByRole('button', { name: 'Add a passkey…' }).click()
      await page.getByRole('dialog').waitFor()
      await page.waitForTimeout(400)
    },
  },
  { name: 'store-settings', user: 'summit', path: '/retailer/settings', ready: 'Summit Sports' },
  {
    name: 'retailer-preview',
    user: 'northbeck',
    path: '/supplier/retailers/1/preview',
    ready: 'Showing 10',
  },
  {
    name: 'supplier-dashboard-empty',
    user: 'admin',
    path: '/supplier',
    ready: 'Welcome, Harbour Cycles',
    scale: 1,
    before: async (page) => {
      const account = { username: 'harbour', password: DEMO_PASSWORD }
      const data = {
        ...account,
        companyName: 'Harbour Cycles',
        contactEmail: 'stock@harbour.example',
      }
      await page.request.post('/api/suppliers', { data })
      await page.request.post('/api/login', { data: account })
    },
  },
  // Of the company of the picture before.
  {
    name: 'add-connection',
    user: 'harbour',
    path: '/supplier/connections',
    ready: 'Add Connection',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add Connection' }).first().click()
      await page.getByRole('dialog').getByLabel('Connection Name').waitFor()
      await page.waitForTimeout(400)
    },
  },
  // Of the same company.
  {
    name: 'card',
    user: 'harbour',
    path: '/supplier/card',
    ready: 'Harbour Cycles',
    before: async (page) => {
      const description = 'Boots, tents and ropes, from our own warehouse, on the same day.'
      const data = { isPublished: true, name: 'Harbour Cycles', description, categories: [] }
      await page.request.put('/api/card', { data })
    },
  },
  {
    name: 'find-suppliers',
    user: 'summit',
    path: '/retailer/directory',
    ready: 'Harbour Cycles',
  },
  {
    name: 'groups',
    user: 'northbeck',
    path: '/supplier/groups',
    ready: 'Key accounts',
    before: async (page) => {
      await page.request.post('/api/groups', { data: { name: 'Key accounts', syncFrequency: 15 } })
      const categories = ['Climbing', 'Clothing > Jackets']
      const visibilitySettings = { allProducts: false, categories }
      const data = { name: 'Climbing shops', visibilitySettings, isForNewcomers: true }
      await page.request.post('/api/groups', { data })
    },
  },
  { name: 'supplier-dashboard', user: 'northbeck', path: '/supplier', ready: 'Welcome' },
  {
    name: 'supplier-dashboard-phone',
    user: 'northbeck',
    path: '/supplier',
    ready: 'Welcome',
    isPhone: true,
  },
  { name: 'connections', user: 'northbeck', path: '/supplier/connections', ready: 'Synced' },
  {
    name: 'csv-preview',
    user: 'northbeck',
    path: '/supplier/connections',
    ready: 'Synced',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Edit Outdoor catalogue' }).click()
      await page.getByRole('button', { name: /Preview/ }).click()
      await page.getByText('Ridgeline Mid GTX Boot', { exact: true }).first().waitFor()
      await page.waitForTimeout(400)
    },
  },
  { name: 'retailers', user: 'northbeck', path: '/supplier/retailers', ready: 'Summit Sports' },
  {
    name: 'retailer-settings',
    user: 'northbeck',
    path: '/supplier/retailers/1',
    ready: 'Username: summit',
  },
  {
    name: 'people',
    user: 'northbeck',
    path: '/people',
    ready: 'Invite a person',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Invite a person' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Vera Lund')
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'invitation',
    user: 'northbeck',
    path: '/invitation',
    ready: 'invites you',
    scale: 1,
    before: async (page) => {
      const data = { storeName: 'Harbour Cycles' }
      const answer = await page.request.post('/trpc/invitations.inviteRetailer', { data })
      return (await answer.json()).result.data.path
    },
  },
  {
    name: 'upload',
    user: 'northbeck',
    path: '/upload',
    ready: 'the newest file counts',
    before: async (page) => {
      const answer = await page.request.post('/api/connections/1/upload-links', { data: {} })
      return (await answer.json()).path
    },
  },
  { name: 'supplier-inventory', user: 'northbeck', path: '/supplier/inventory', ready: 'Showing' },
  { name: 'activity', user: 'northbeck', path: '/supplier/activity', ready: 'invited' },
  { name: 'alerts', user: 'northbeck', path: '/alerts', ready: 'What you are told of' },
  { name: 'settings', user: 'northbeck', path: '/supplier/settings', ready: 'Security' },
  { name: 'sessions', user: 'northbeck', path: '/sessions', ready: 'This one' },
  { name: 'api-keys', user: 'northbeck', path: '/api-keys', ready: 'No keys' },
  { name: 'help', user: 'northbeck', path: '/help', ready: 'Questions' },
  { name: 'api', user: 'northbeck', path: '/api-docs', ready: '/api/connections' },
  { name: 'retailer-dashboard', user: 'summit', path: '/retailer', ready: 'Download' },
  {
    name: 'connect-shop',
    user: 'summit',
    path: '/retailer/shop?shop=woocommerce',
    ready: 'Where to paste it',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Create address' }).click()
      await page.getByText('Waiting for the first read', { exact: false }).first().waitFor()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'shop-connected',
    user: 'basecamp',
    path: '/retailer/shop?shop=woocommerce',
    ready: 'has read',
    before: (page) => readAsShop(page),
  },
  {
    name: 'shop-refused',
    user: 'cragside',
    path: '/retailer/shop?shop=woocommerce',
    ready: 'was refused',
    before: (page) => readAsShop(page, { networks: ['192.0.2.0/24'] }),
  },
  {
    name: 'send-my-file',
    user: 'summit',
    path: '/retailer/shop#send-my-file',
    ready: 'Sent 192 rows',
    before: (page) => sendFile(page),
    prepare: async (page) => {
      await page.getByText('Of the last 90 days', { exact: false }).scrollIntoViewIfNeeded()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'add-destination',
    user: 'summit',
    path: '/retailer/shop#send-my-file',
    ready: 'Deliveries',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add destination' }).click()
      await page.getByRole('radio', { name: 'S3 bucket' }).check()
      await page.waitForTimeout(400)
    },
  },
  { name: 'retailer-inventory', user: 'summit', path: '/retailer/inventory', ready: 'Showing 10' },
  {
    name: 'retailer-dashboard-phone',
    user: 'summit',
    path: '/retailer',
    ready: 'Download',
    isPhone: true,
  },
  {
    name: 'operations',
    user: 'admin',
    path: '/dashboard/super-admin/operations',
    ready: 'Queue and workers',
  },
  { name: 'audit', user: 'admin', path: '/audit', ready: 'signed in' },
  { name: 'system', user: 'admin', path: '/dashboard/super-admin/system', ready: 'Health' },
  {
    name: 'supplier',
    user: 'admin',
    path: '/dashboard/super-admin/suppliers/2',
    ready: 'Run history',
  },
  { name: 'suppliers', user: 'admin', path: '/', ready: 'Northbeck Outdoor' },
  {
    name: 'cron-jobs',
    user: 'admin',
    path: '/dashboard/super-admin/cron-jobs',
    ready: 'sync-heartbeat',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Trigger backup' }).click()
      await page.getByText('Succeeded').first().waitFor()
      await page.getByRole('button', { name: 'View backup history of backup', exact: true }).click()
      await page.getByText('Verified').waitFor()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'supplier-dashboard-failing',
    user: 'northbeck',
    path: '/supplier',
    ready: 'CSV file is empty',
    scale: 1,
    before: (page) => sync(page, ''),
  },
  {
    name: 'held-file',
    user: 'northbeck',
    path: HISTORY,
    ready: 'Publish anyway',
    before: async (page) => {
      // A usual day, and then a file that has lost most of its rows.
      await sync(page, sellSome(sample))
      await sync(page, sample.split('\n').slice(0, 60).join('\n'))
    },
  },
  {
    name: 'comparison',
    user: 'northbeck',
    path: HISTORY,
    ready: 'Publish anyway',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Compare/ })
        .nth(1)
        .click()
      await page.getByRole('heading', { name: 'Quantity changed' }).waitFor()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'timeline',
    user: 'northbeck',
    path: HISTORY,
    ready: 'Publish anyway',
    prepare: async (page) => {
      await page.getByRole('heading', { name: 'Timeline' }).scrollIntoViewIfNeeded()
      await page.mouse.wheel(0, 2_000)
      await page.waitForTimeout(600)
    },
  },
  {
    name: 'item',
    user: 'northbeck',
    path: '/supplier/connections/1/items?sku=SB-00002',
    ready: 'All values',
  },
  {
    name: 'merged-file',
    user: 'summit',
    path: '/retailer/merged-file',
    ready: 'Merged file',
    before: (page) => joinSupplier(page),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Make the merged file' }).click()
      await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
      await page.waitForTimeout(400)
    },
  },
]

/** A catalogue as it may look an hour later: some items sold, some gone, some new. @param {string} text */
function sellSome(text) {
  const [header, ...lines] = text.trimEnd().split('\n')
  const rows = lines.filter((_line, index) => index % 60 !== 59)
  const sold = rows.map((line, index) =>
    index % 7 === 1 ? line.replace(/,(\d+),(\d{13}),/, ',3,$2,') : line,
  )
  const added = sold.slice(0, 5).map((line, index) => line.replace(/^SB-\d+/, `SB-1000${index}`))
  return `${[header, ...sold, ...added].join('\n')}\n`
}

/**
 * Makes an address of the own file, and lets a shop read it.
 * @param {Page} page
 * @param {object} [protection] by which it is refused
 */
async function readAsShop(page, protection) {
  const own = await (await page.request.get('/trpc/retailers.own')).json()
  const addresses = `/api/retailers/${own.result.data.id}/feed-addresses`
  const { path } = await (await page.request.post(addresses, { data: {} })).json()
  if (protection) await page.request.patch(addresses, { data: protection })
  await page.request.get(path, { headers: { 'user-agent': 'WooCommerce/9.1' } })
}

/** @param {Page} page @param {string} username */
const signIn = (page, username, password = DEMO_PASSWORD) =>
  page.request.post('/api/login', { data: { username, password } })

/** The address of the demo's catalogue. @param {Page} page */
async function findSource(page) {
  await signIn(page, 'northbeck')
  const [{ config }] = await (await page.request.get('/api/connections')).json()
  return config.url
}

/** Has a second supplier accept the retailer, and publish. @param {Page} page */
async function joinSupplier(page) {
  const url = await findSource(page)
  await signIn(page, 'summit')
  // Only whoever has chosen it may ask: the supplier knows the first one.
  const newPassword = 'boots and tents'
  const passwords = { currentPassword: DEMO_PASSWORD, newPassword }
  await page.request.post('/api/admin/reset-password', { data: passwords })
  const { cards } = await (await page.request.get('/api/directory')).json()
  const asked = { data: { storeName: 'Summit Sports' } }
  await page.request.post(`/api/directory/${cards[0].card}/request`, asked)
  await signIn(page, 'harbour')
  const { requests } = await (await page.request.get('/api/requests')).json()
  await page.request.post(`/api/requests/${requests[0].id}/approve`, { data: {} })
  const source = { type: 'URL', fileFormat: 'CSV', syncFrequency: 60, config: { url } }
  await page.request.post('/api/connections', { data: { name: 'Warehouse', ...source } })
  const isPublished = async () =>
    (await (await page.request.get('/api/connections')).json())[0].lastSync !== null
  while (!(await isPublished())) await page.waitForTimeout(200)
  await signIn(page, 'summit', newPassword)
}

/** Has the own file sent to the only server that the demo may contact. @param {Page} page */
async function sendFile(page) {
  const source = await findSource(page)
  await signIn(page, 'summit')
  const own = await (await page.request.get('/trpc/retailers.own')).json()
  const data = { name: 'ERP', config: { url: new URL('/in/', source).href } }
  await page.request.post(`/api/retailers/${own.result.data.id}/destinations`, { data })
}

/** Syncs the demo's connection with a new file. @param {Page} page @param {string} text */
async function sync(page, text) {
  const last = async () =>
    (await (await page.request.get('/api/connections')).json())[0].lastAttemptAt
  const before = await last()
  writeFileSync(catalogue, text)
  await page.request.post('/api/connections/1/sync', { data: {} })
  while ((await last()) === before) await page.waitForTimeout(200)
}

const { path: executablePath, problem } = ensureChromium()
if (!executablePath) throw new Error(problem)
mkdirSync(folder, { recursive: true })
const { demo, address } = startDemo({ DEMO_CATALOGUE: catalogue })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const url = await address
  const names = process.argv.slice(2)
  for (const picture of pictures) {
    if (names.length === 0 || names.includes(picture.name)) await take(url, picture)
  }
} finally {
  await browser.close()
  demo.kill('SIGTERM')
  rmSync(scratch, { recursive: true })
}

/** @param {string} baseURL @param {Picture} picture */
async function take(
  baseURL,
  { name, user, path, ready, isPhone = false, scale = 1.5, before, prepare },
) {
  const context = await browser.newContext({
    baseURL,
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    deviceScaleFactor: scale,
    colorScheme: isPhone ? 'dark' : 'light',
  })
  if (user) {
    await context.request.post('/api/login', { data: { username: user, password: DEMO_PASSWORD } })
  }
  const page = await context.newPage()
  const otherPath = await before?.(page)
  if (otherPath) await context.clearCookies()
  await page.goto(otherPath ?? path)
  await page.getByText(ready).first().waitFor()
  await prepare?.(page)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await context.close()
}
