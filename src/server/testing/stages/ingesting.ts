import { expect } from 'vitest'

import type { CategoryReading } from '../../../shared/schemas/file'
import { FeedError } from '../../feed/feed-error'
import { ingestFeed } from '../../feed/ingest'
import { createMemoryDrafts, inChunks, readAll } from '../fixtures/feed-fixtures'

const { signal } = new AbortController()

/** Ingests a whole source, and checks that only the returned draft is left. */
export async function ingest(
  source: string | Uint8Array,
  categoryReading: CategoryReading | null = null,
  chunkBytes?: number,
) {
  const drafts = createMemoryDrafts()
  const { draft, report } = await ingestFeed(inChunks(Buffer.from(source), chunkBytes), {
    openDraft: drafts.open,
    compression: 'none',
    categoryReading,
    signal,
  })
  expect(drafts.kept()).toEqual([draft])
  return { text: (await readAll(draft.read())).toString(), report }
}

/** The error that a source is refused with; checks that no draft is left. */
export async function refusalOf(source: string | Uint8Array): Promise<FeedError> {
  const drafts = createMemoryDrafts()
  const error = await ingestFeed(inChunks(Buffer.from(source)), {
    openDraft: drafts.open,
    compression: 'none',
    categoryReading: null,
    signal,
  }).catch((reason: unknown) => reason)
  expect(drafts.kept()).toEqual([])
  if (!(error instanceof FeedError)) throw new Error(`No FeedError but ${String(error)}`)
  return error
}
