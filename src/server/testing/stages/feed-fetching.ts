import { FeedError } from '../../feed/feed-error'
import {
  createFeedFetcher,
  type FeedFetcher,
  type FeedFetcherOptions,
} from '../../feed/fetch/fetch'
import type { HostGate } from '../../feed/fetch/host-gate'
import type { FeedServer } from '../servers/feed-server'

/** A fetcher that may reach `server` but no other private address. */
export function createLocalFetcher(
  server: FeedServer,
  options: Partial<FeedFetcherOptions> = {},
): FeedFetcher {
  return createFeedFetcher({
    now: Date.now,
    allow: [server.host],
    maxBytes: 8 * 1024 * 1024,
    ...options,
  })
}

export async function fetchContent(fetcher: FeedFetcher, url: string, hosts?: HostGate) {
  const { signal } = new AbortController()
  const response = await fetcher.fetch({ url, signal, hosts })
  if (response.kind !== 'content') throw new Error('Content was expected')
  return response
}

/** The feed error that `work` rejects with. */
export async function failureOf(work: Promise<unknown>): Promise<FeedError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof FeedError)) throw new Error(`No FeedError but ${String(error)}`)
  return error
}
