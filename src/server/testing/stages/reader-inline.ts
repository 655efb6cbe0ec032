import type { Config } from '../../config'
import { runTask } from '../../feed/children/tasks'
import type { FeedReader } from '../../feed/feed-reader'
import { createFeedFetcher, type FeedFetcher } from '../../feed/fetch/fetch'

/** Reads feeds in this process instead of a child process; for tests with trusted input. */
export function createInlineReader(fetcher: FeedFetcher): FeedReader {
  return {
    run: (kind, task, options) => runTask(kind, task, { ...options, fetcher }),
    close: () => fetcher.close(),
  }
}

/** An inline reader that may fetch what the configuration allows. */
export function openInlineReader(config: Config, now: () => number): FeedReader {
  const { fetchAllow: allow, maxFileBytes: maxBytes } = config
  return createInlineReader(createFeedFetcher({ allow, maxBytes, now }))
}
