import { describe, expect, it } from 'vitest'

import { createMemoryDrafts, inChunks } from '../testing/fixtures/feed-fixtures'
import { countVisibleRows } from '../testing/fixtures/visible-rows'
import { hostileFeeds } from '../testing/suites/hostile/hostile-feeds'
import { FeedError } from './feed-error'
import { filterFeed } from './filter'
import { ingestFeed } from './ingest'
import { previewFeed } from './preview'

const { signal } = new AbortController()

/** The result of `work`; null when it was refused with a FeedError. */
const unlessRefused = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof FeedError) return null
    throw error
  })

/** The rows a retailer sees, as counted and as filtered, and the number of drafts left behind. */
async function sync(bytes: Buffer) {
  const drafts = createMemoryDrafts()
  const options = { compression: 'none', categoryReading: null, signal } as const
  const work = ingestFeed(inChunks(bytes), { ...options, openDraft: drafts.open })
  const synced = await unlessRefused(work)
  if (!synced) return { counted: 0, filtered: 0, expectedDrafts: 0, drafts: drafts.kept().length }
  const { categoryReading: reading, categoryCounts: counts } = synced.report
  const categories = [counts.find(({ cell }) => cell !== '')?.cell ?? 'none']
  const filter = { categoryReading: reading, categories, format: null, signal }
  const { rowCount: filtered } = await filterFeed(synced.draft.read(), filter, async () => {})
  const counted = reading ? await countVisibleRows(counts, categories, reading) : 0
  return { counted, filtered, expectedDrafts: 1, drafts: drafts.kept().length }
}

describe('a hostile file', () => {
  it.each(hostileFeeds)(
    'has equal counted and filtered rows, or is refused: $name',
    async (feed) => {
      const { counted, filtered, drafts, expectedDrafts } = await sync(feed.bytes())
      expect(filtered).toBe(counted)
      expect(drafts).toBe(expectedDrafts)
    },
  )

  it.each(hostileFeeds)('is previewed with shortened names, or is refused: $name', async (feed) => {
    const preview = await unlessRefused(previewFeed(inChunks(feed.bytes()), 'none'))
    const columns = preview?.columns ?? []
    expect(columns.filter((name) => name.length > 200)).toEqual([])
  })
})
