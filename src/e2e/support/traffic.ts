import type { BrowserContext, Request } from 'playwright-core'
import { expect } from 'vitest'

import type { Page } from './page'

/** Requests of a browser context: the number started, and those in flight. */
type Traffic = { started: number; inFlight: Set<Request> }

const traffics = new WeakMap<BrowserContext, Traffic>()

/** The event stream, which never finishes. */
const isStream = (request: Request) => new URL(request.url()).pathname === '/trpc/live.changes'

export function watchTraffic(context: BrowserContext): void {
  const traffic: Traffic = { started: 0, inFlight: new Set() }
  const { inFlight } = traffic
  traffics.set(context, traffic)
  context.on('request', (request) => {
    if (isStream(request)) return
    // A navigation aborts the requests of the previous page.
    if (request.isNavigationRequest()) inFlight.clear()
    traffic.started += 1
    inFlight.add(request)
  })
  context.on('requestfinished', (request) => inFlight.delete(request))
  context.on('requestfailed', (request) => inFlight.delete(request))
}

/**
 * Waits until a page has no request in flight and starts no more. Unlike Playwright's
 * `networkidle`, which fires once per document, this also covers requests made later.
 */
export async function waitUntilIdle(page: Page): Promise<void> {
  const traffic = traffics.get(page.context())
  if (!traffic) throw new Error('The traffic of this page is not watched')
  const isIdle = async () => {
    const { started } = traffic
    // Any request the page started before these probes has been reported once they respond.
    for (let probe = 0; probe < 2; probe += 1)
      await page.evaluate(async () => void (await (await fetch('/healthz')).text()))
    return traffic.inFlight.size === 0 && traffic.started === started + 2
  }
  await expect.poll(isIdle).toBe(true)
}
