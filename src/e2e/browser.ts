import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

import { findChromium } from '../../scripts/system-programs.mjs'
import { watchTraffic } from './traffic'

const HONEST_REFUSAL = /status of 4\d\d/

/** Real Chromium from this machine; as root it runs without its sandbox. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium is missing; npm test says how to install it')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

export type Tab = {
  page: Page
  /** What the page has complained about so far; an honest 4xx of a call is no complaint. */
  complaints: string[]
  /** What its test gives it reason to complain about, which may be told late; empty at first. */
  expected: RegExp[]
  close(): Promise<void>
}

/** A browser window of somebody who has never been here. */
export async function openTab(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Tab> {
  const context: BrowserContext = await browser.newContext({ baseURL: url, ...options })
  // No page of a busy machine takes this long; a page that hangs is to fail.
  context.setDefaultTimeout(30_000)
  watchTraffic(context)
  const page = await context.newPage()
  const complaints: string[] = []
  const expected: RegExp[] = []
  const complain = (text: string) => {
    const isExpected = [HONEST_REFUSAL, ...expected].some((pattern) => pattern.test(text))
    if (!isExpected) complaints.push(text)
  }
  page.on('pageerror', (error) => complain(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(message.text())
  })
  return { page, complaints, expected, close: () => context.close() }
}

/** From now on the time of a window and of those it opens passes with `page.clock.runFor` alone. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  // The clock goes on until it is stopped: a busy machine comes to that within this hour.
  await page.clock.pauseAt(Date.now() + 60 * 60_000)
}
