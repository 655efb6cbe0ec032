import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'

/** What the pages of a window have asked for: how often, and what of it is still to come. */
type Traffic = { begun: number; underWay: Set<Request> }

const traffics = new WeakMap<BrowserContext, Traffic>()

/** A stream of changes never comes to its end. */
const isStream = (request: Request) => new URL(request.url()).pathname === '/trpc/live.changes'

export function watchTraffic(context: BrowserContext): void {
  const traffic: Traffic = { begun: 0, underWay: new Set() }
  const { underWay } = traffic
  traffics.set(context, traffic)
  context.on('request', (request) => {
    if (isStream(request)) return
    // What was asked for before the page was left does not come any more.
    if (request.isNavigationRequest()) underWay.clear()
    traffic.begun += 1
    underWay.add(request)
  })
  context.on('requestfinished', (request) => underWay.delete(request))
  context.on('requestfailed', (request) => underWay.delete(request))
}

/**
 * Waits until a page has all that it has asked for, and asks for no more. `networkidle` would come
 * once for each document: of what is asked for later it knows nothing.
 */
export async function seeRest(page: Page): Promise<void> {
  const traffic = traffics.get(page.context())
  if (!traffic) throw new Error('Nobody watches what this page asks for')
  const isAtRest = async () => {
    const { begun } = traffic
    // What the page began before a request of ours has been seen when ours is answered.
    for (let probe = 0; probe < 2; probe += 1)
      await page.evaluate(async () => void (await (await fetch('/healthz')).text()))
    return traffic.underWay.size === 0 && traffic.begun === begun + 2
  }
  await expect.poll(isAtRest).toBe(true)
}
