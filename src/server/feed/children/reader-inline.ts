import type { FeedReader } from '../feed-reader'
import type { FeedFetcher } from '../fetch/fetch'
import { runTask } from './tasks'

/** Reads feeds in this process: for tests, which know what they read. */
export function createInlineReader(fetcher: FeedFetcher): FeedReader {
  return {
    run: (kind, task, options) => runTask(kind, task, { ...options, fetcher }),
    close: () => fetcher.close(),
  }
}
