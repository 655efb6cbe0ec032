import type { Request, Route } from 'playwright-core'

import { FIRST_DATA_ID } from '../../shared/first-data'
import type { Tab } from './browser'
import type { Page } from './page'

/** The tRPC procedures in one request, which may be a batch. */
function proceduresOf(url: string | URL): string[] {
  const { pathname } = new URL(url)
  if (!pathname.startsWith('/trpc/')) return []
  return decodeURIComponent(pathname.slice('/trpc/'.length)).split(',')
}

function inputOf(request: Request, procedure: string): unknown {
  const inputs = request.postDataJSON() as Record<string, unknown>
  return inputs[proceduresOf(request.url()).indexOf(procedure)]
}

/** The input of the mutation that `act` makes the page send. */
export async function inputSent(
  page: Page,
  procedure: string,
  act: () => Promise<unknown>,
): Promise<unknown> {
  const [request] = await Promise.all([
    page.waitForRequest((sentRequest) => proceduresOf(sentRequest.url()).includes(procedure)),
    act(),
  ])
  return inputOf(request, procedure)
}

/** The procedures that the page calls from now on, in order; the array grows with each call. */
export function watchCalls(page: Page): string[] {
  const seen: string[] = []
  page.on('request', (request) => seen.push(...proceduresOf(request.url())))
  return seen
}

/** Lets pages bring no data with them, so that they make all calls themselves. */
export async function leaveOutFirstData(page: Page): Promise<void> {
  const isPage = ({ pathname }: URL) => !/^\/(?:trpc|api|assets)\/|\.\w+$/.test(pathname)
  await page.route(isPage, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const text = await response.text()
    return route.fulfill({ response, body: text.replace(`id="${FIRST_DATA_ID}"`, '') })
  })
}

/** Lets the test handle the page's calls of a procedure. */
export async function routeCalls(
  page: Page,
  procedure: string,
  handle: (route: Route) => Promise<void>,
): Promise<void> {
  await leaveOutFirstData(page)
  await page.route((url) => proceduresOf(url).includes(procedure), handle)
}

/** Holds back the page's calls of a procedure. @returns a function that lets them through */
export async function holdCalls(page: Page, procedure: string): Promise<() => void> {
  let release: () => void = () => undefined
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await routeCalls(page, procedure, async (route) => {
    await isReleased
    await route.continue()
  })
  return release
}

/** Fails a procedure's calls with an empty error message, but none that are asked together with them. */
export function failWithoutMessage(page: Page, procedure: string): Promise<void> {
  const error = { message: '', code: -32_603, data: { code: 'INTERNAL_SERVER_ERROR' } }
  return routeCalls(page, procedure, async (route) => {
    const asked = proceduresOf(new URL(route.request().url()))
    if (asked.length === 1) return route.fulfill({ json: [{ error }] })
    const answers = (await (await route.fetch()).json()) as unknown[]
    return route.fulfill({
      json: asked.map((name, at) => (name === procedure ? { error } : answers[at])),
    })
  })
}

/** The client's message for a call without a response. */
export const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'

/** Runs `act` while the page is offline, ignoring the resulting console errors. */
export async function whileOffline({ page, expected }: Tab, act: () => Promise<void>) {
  expected.push(/ERR_INTERNET_DISCONNECTED/)
  await page.context().setOffline(true)
  try {
    await act()
  } finally {
    await page.context().setOffline(false)
  }
}
