import { runTask } from '../feed/children/tasks'
import type { FeedReader } from '../feed/feed-reader'
import type { FeedFetcher } from '../feed/fetch/fetch'

/** Reads feeds in this process instead of a child process; for tests with trusted input. */
export function createInlineReader(fetcher: FeedFetcher): FeedReader {
  return {
    run: (kind, task, options) => runTask(kind, task, { ...options, fetcher }),
    close: () => fetcher.close(),
  }
}
