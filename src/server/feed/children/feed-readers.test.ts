import { createInlineReader } from '../../testing/stages/reader-inline'
import { describeFeedReader } from '../feed-reader.contract'
import { createFeedFetcher } from '../fetch/fetch'
import { toChildCommand } from './child-command'
import { createChildReader } from './reader-in-children'

describeFeedReader('the inline feed reader', ({ allow, maxBytes }) =>
  createInlineReader(createFeedFetcher({ allow, maxBytes, now: Date.now })),
)

describeFeedReader('the feed reader in child processes', (reach) =>
  createChildReader({
    command: toChildCommand({ ...reach, env: {} }),
    concurrency: {
      ingest: 1,
      filter: 1,
      preview: 1,
      sample: 1,
      stockTexts: 1,
      browse: 1,
      difference: 1,
      changes: 1,
      goneItems: 1,
      delta: 1,
      compress: 1,
    },
    onUnexpectedExit: () => undefined,
  }),
)
