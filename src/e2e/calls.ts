import type { Page, Request, Route } from 'playwright-core'

import type { Tab } from './browser'

/** The procedures that one request of the client asks for; it may batch several. */
function proceduresOf(url: string | URL): string[] {
  const { pathname } = new URL(url)
  if (!pathname.startsWith('/trpc/')) return []
  return decodeURIComponent(pathname.slice('/trpc/'.length)).split(',')
}

function inputOf(request: Request, procedure: string): unknown {
  const inputs = request.postDataJSON() as Record<string, unknown>
  return inputs[proceduresOf(request.url()).indexOf(procedure)]
}

/** What the page sends to a procedure that changes something, when `act` makes it call. */
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

/** The procedures that the page asks for from now on, in order. */
export function watchCalls(page: Page): string[] {
  const seen: string[] = []
  page.on('request', (request) => seen.push(...proceduresOf(request.url())))
  return seen
}

/** Takes the page's next calls of a procedure into the test's hands. */
export async function routeCalls(
  page: Page,
  procedure: string,
  handle: (route: Route) => Promise<void>,
): Promise<void> {
  await page.route((url) => proceduresOf(url).includes(procedure), handle)
}

/** Keeps the page's calls of a procedure from the server until the test lets them go. */
export async function holdCalls(page: Page, procedure: string): Promise<() => void> {
  let letGo: () => void = () => undefined
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await routeCalls(page, procedure, async (route) => {
    await isLetGo
    await route.continue()
  })
  return letGo
}

/** Answers a procedure's calls with a failure that says nothing, as no server of ours would. */
export function failWithoutWords(page: Page, procedure: string): Promise<void> {
  const error = { message: '', code: -32_603, data: { code: 'INTERNAL_SERVER_ERROR' } }
  return routeCalls(page, procedure, (route) => route.fulfill({ json: [{ error }] }))
}

/** What the client says of a call that got no answer. */
export const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'

/** The network is gone meanwhile; what the console says of that is no complaint. */
export async function whileOffline({ page, expected }: Tab, act: () => Promise<void>) {
  expected.push(/ERR_INTERNET_DISCONNECTED/)
  await page.context().setOffline(true)
  try {
    await act()
  } finally {
    await page.context().setOffline(false)
  }
}
