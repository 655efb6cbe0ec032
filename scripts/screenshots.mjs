// npm run screenshots: takes the README's screenshots of the demo, in docs/screenshots.
import './runtime.mjs'
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { chromium } from 'playwright-core'

import { ensureChromium } from './system-programs.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'docs/screenshots')
const PASSWORD = 'demo-demo'

/** @typedef {import('playwright-core').Page} Page */

/** @type {{ name: string, user?: string, path: string, ready: string, prepare?: (page: Page) => Promise<void> }[]} */
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
]

const { path: executablePath, problem } = ensureChromium()
if (!executablePath) throw new Error(problem)
mkdirSync(folder, { recursive: true })
const demo = spawn(process.execPath, ['scripts/run.mjs', 'demo'], {
  cwd: root,
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const url = await waitForUrl()
  for (const picture of pictures) await take(url, picture)
} finally {
  await browser.close()
  demo.kill('SIGTERM')
}

/** @returns {Promise<string>} */
function waitForUrl() {
  return new Promise((resolve, reject) => {
    demo.stdout.on('data', (chunk) => {
      const url = /is ready at (\S+)/.exec(String(chunk))?.[1]
      if (url) resolve(url)
    })
    demo.once('exit', (code) => reject(new Error(`The demo ended with ${code}`)))
  })
}

/** @param {string} baseURL @param {(typeof pictures)[number]} picture */
async function take(baseURL, { name, user, path, ready, prepare }) {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
  })
  if (user) {
    await context.request.post('/api/login', { data: { username: user, password: PASSWORD } })
  }
  const page = await context.newPage()
  await page.goto(path)
  await page.getByText(ready).first().waitFor()
  await prepare?.(page)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await context.close()
}
