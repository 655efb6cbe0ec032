// npm run screenshots: takes the README's screenshots of the demo, in docs/screenshots.
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

/** @type {{ name: string, user?: string, path: string, ready: string, before?: (page: Page) => Promise<void>, prepare?: (page: Page) => Promise<void> }[]} */
const pictures = [
  { name: 'sign-in', path: '/auth', ready: 'Or continue with' },
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
  { name: 'retailer-inventory', user: 'summit', path: '/retailer/inventory', ready: 'Showing 10' },
  { name: 'suppliers', user: 'admin', path: '/', ready: 'Northbeck Outdoor' },
  {
    name: 'cron-jobs',
    user: 'admin',
    path: '/dashboard/super-admin/cron-jobs',
    ready: 'sync-heartbeat',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Trigger backup' }).click()
      await page.getByText('Succeeded').first().waitFor()
      await page.getByRole('button', { name: 'View backup history of backup' }).click()
      await page.getByText('Verified').waitFor()
      await page.waitForTimeout(400)
    },
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
  for (const picture of pictures) await take(url, picture)
} finally {
  await browser.close()
  demo.kill('SIGTERM')
  rmSync(scratch, { recursive: true })
}

/** @param {string} baseURL @param {(typeof pictures)[number]} picture */
async function take(baseURL, { name, user, path, ready, before, prepare }) {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
  })
  if (user) {
    await context.request.post('/api/login', { data: { username: user, password: DEMO_PASSWORD } })
  }
  const page = await context.newPage()
  await before?.(page)
  await page.goto(path)
  await page.getByText(ready).first().waitFor()
  await prepare?.(page)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await context.close()
}
