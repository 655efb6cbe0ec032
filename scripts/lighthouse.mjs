// npm run lighthouse: measures the demo's pages with Lighthouse, as a phone on a slow network. Nothing else should run:
// the scores are of this machine too. Lighthouse is not a package of the project, because it brings 200 others.
import './runtime.mjs'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DEMO_PASSWORD, startDemo } from './start-demo.mjs'
import { ensureChromium } from './system-programs.mjs'

const LIGHTHOUSE = 'lighthouse@12.8.2'
/** Of each page; the median counts. */
const RUNS = 3
const PAGES = [
  { name: 'Sign-in', path: '/auth' },
  { name: 'Administrator', user: 'admin', path: '/' },
  { name: 'Operations', user: 'admin', path: '/dashboard/super-admin/operations' },
  { name: 'Cron Jobs', user: 'admin', path: '/dashboard/super-admin/cron-jobs' },
  { name: 'Supplier', user: 'northbeck', path: '/supplier' },
  { name: 'Data Connections', user: 'northbeck', path: '/supplier/connections' },
  { name: 'Retailers', user: 'northbeck', path: '/supplier/retailers' },
  { name: 'Retailer', user: 'summit', path: '/retailer' },
  { name: 'Inventory Preview', user: 'summit', path: '/retailer/inventory' },
  { name: 'Connect your shop', user: 'summit', path: '/retailer/shop' },
]

// Its script, because the command of that name is for shells.
const npm = process.env.npm_execpath ?? ''
if (npm === '') throw new Error('Start it with npm run lighthouse')
const { path: executablePath, problem } = ensureChromium()
if (!executablePath) throw new Error(problem)
const scratch = mkdtempSync(join(tmpdir(), 'stockbridge-lighthouse-'))
const { demo, address } = startDemo()
try {
  const url = await address
  /** @type {Record<string, unknown>} */
  const rows = {}
  for (const { name, user, path } of PAGES) {
    /** @type {Record<string, string>} */
    const headers = user ? { Cookie: await signIn(url, user) } : {}
    const runs = Array.from({ length: RUNS }, () => measure(url + path, headers))
    const median = runs.toSorted((one, other) => one.score - other.score)[Math.floor(RUNS / 2)]
    rows[name] = median
  }
  console.table(rows)
} finally {
  demo.kill('SIGTERM')
  rmSync(scratch, { recursive: true })
}

/** @param {string} url @param {string} username */
async function signIn(url, username) {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: DEMO_PASSWORD }),
  })
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  if (!response.ok || cookie === '') throw new Error(`${username} could not sign in`)
  return cookie
}

/** @param {string} url @param {Record<string, string>} headers */
function measure(url, headers) {
  const [headersFile, report] = [join(scratch, 'headers.json'), join(scratch, 'report.json')]
  writeFileSync(headersFile, JSON.stringify(headers))
  const options = [`--extra-headers=${headersFile}`, '--output=json', `--output-path=${report}`]
  const chrome = ['--quiet', '--chrome-flags=--headless --no-sandbox']
  const run = [npm, 'exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url]
  const { status } = spawnSync(process.execPath, [...run, ...options, ...chrome], {
    cwd: scratch,
    env: { ...process.env, CHROME_PATH: executablePath },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${LIGHTHOUSE} ended with ${status}`)
  const { categories, audits, environment } = JSON.parse(readFileSync(report, 'utf8'))
  const score = (/** @type {string} */ name) => Math.round(categories[name].score * 100)
  const ms = (/** @type {string} */ name) => Math.round(audits[name].numericValue)
  const requests = /** @type {{ transferSize: number }[]} */ (
    audits['network-requests'].details.items
  )
  return {
    score: score('performance'),
    others: ['accessibility', 'best-practices', 'seo'].map(score).join(' '),
    'first paint': ms('first-contentful-paint'),
    largest: ms('largest-contentful-paint'),
    blocked: ms('total-blocking-time'),
    'long tasks': audits['long-tasks'].details.items.length,
    requests: requests.length,
    KB: Math.round(requests.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1_000),
    'machine index': Math.round(environment.benchmarkIndex),
  }
}
