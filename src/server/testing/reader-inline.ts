import { runTask } from '../feed/children/tasks'
import type { FeedReader } from '../feed/feed-reader'
import type { FeedFetcher } from '../feed/fetch/fetch'

/** Reads feeds in this process: for tests, which know what they read. */
export function createInlineReader(fetcher: FeedFetcher): FeedReader {
  return {
    run: (kind, task, options) => runTask(kind, task, { ...options, fetcher }),
    close: () => fetcher.close(),
  }
}
