import { chromium, type Browser, type BrowserContext } from 'playwright-core'

import { findChromium } from '../../../scripts/system-programs.mjs'
import type { Page } from './page'
import { watchTraffic } from './traffic'

const CLIENT_ERROR_STATUS = /status of 4\d\d/

/**
 * What Chromium says of calls while one server takes the place of another: nobody listens, or the server ends before it
 * has accepted their connection, whether they were sent by then or not.
 */
export const BETWEEN_SERVERS = /ERR_CONNECTION_(?:REFUSED|RESET)|ERR_SOCKET_NOT_CONNECTED/

/** Launches the installed Chromium, without its sandbox, which does not work as root. */
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

export type Tab = Awaited<ReturnType<typeof openTab>>

/** Opens a window with a fresh browser context. */
export async function openTab(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
) {
  const context: BrowserContext = await browser.newContext({ baseURL: url, ...options })
  // Longer than any page takes on a loaded machine; a page that hangs fails.
  context.setDefaultTimeout(30_000)
  watchTraffic(context)
  const page: Page = await context.newPage()
  /** Errors and warnings of the page and its console so far, except for 4xx responses. */
  const complaints: string[] = []
  /** Patterns that the test adds for complaints that it provokes. */
  const expected: RegExp[] = []
  const complain = (text: string) => {
    const isExpected = [CLIENT_ERROR_STATUS, ...expected].some((pattern) => pattern.test(text))
    if (!isExpected) complaints.push(text)
  }
  page.on('pageerror', (error) => complain(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(message.text())
  })
  return { page, complaints, expected, close: () => context.close() }
}

/** Stops the clock of a window and of those it opens; only `page.clock.runFor` advances it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  // The clock runs until this call takes effect, so pause at a time that is surely still ahead.
  await page.clock.pauseAt(Date.now() + 60 * 60_000)
}
