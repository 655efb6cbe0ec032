import { createInlineReader } from '../../testing/reader-inline'
import { describeFeedReader } from '../feed-reader.contract'
import { createFeedFetcher } from '../fetch/fetch'
import { toChildCommand } from './child-command'
import { createChildReader } from './reader-in-children'

describeFeedReader('reading feeds inline', ({ allow, maxBytes }) =>
  createInlineReader(createFeedFetcher({ allow, maxBytes, now: Date.now })),
)

describeFeedReader('reading feeds in processes of their own', (reach) =>
  createChildReader({
    command: toChildCommand({ ...reach, env: {} }),
    concurrency: { ingest: 1, filter: 1, preview: 1 },
    onUnexpectedExit: () => undefined,
  }),
)
