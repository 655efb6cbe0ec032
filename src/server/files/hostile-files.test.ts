import { describe, expect, it } from 'vitest'

import { createMemoryDrafts, inChunks } from '../testing/fixtures/file-fixtures'
import { countVisibleRows } from '../testing/fixtures/visible-rows'
import { hostileFiles } from '../testing/suites/hostile/hostile-files'
import { FileError } from './file-error'
import { filterFile } from './filter'
import { ingestFile } from './ingest'
import { previewFile } from './preview'

const { signal } = new AbortController()

/** The result of `work`; null when it was refused with a FileError. */
const unlessRefused = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof FileError) return null
    throw error
  })

/** The rows a retailer sees, as counted and as filtered, and the number of drafts left behind. */
async function sync(bytes: Buffer) {
  const drafts = createMemoryDrafts()
  const options = { compression: 'none', categoryReading: null, signal } as const
  const work = ingestFile(inChunks(bytes), { ...options, openDraft: drafts.open })
  const synced = await unlessRefused(work)
  if (!synced) return { counted: 0, filtered: 0, expectedDrafts: 0, drafts: drafts.kept().length }
  const { categoryReading: reading, categoryCounts: counts } = synced.report
  const categories = [counts.find(({ cell }) => cell !== '')?.cell ?? 'none']
  const filter = { categoryReading: reading, categories, format: null, signal }
  const { rowCount: filtered } = await filterFile(synced.draft.read(), filter, async () => {})
  const counted = reading ? await countVisibleRows(counts, categories, reading) : 0
  return { counted, filtered, expectedDrafts: 1, drafts: drafts.kept().length }
}

describe('a hostile file', () => {
  it.each(hostileFiles)(
    'has equal counted and filtered rows, or is refused: $name',
    async (file) => {
      const { counted, filtered, drafts, expectedDrafts } = await sync(file.bytes())
      expect(filtered).toBe(counted)
      expect(drafts).toBe(expectedDrafts)
    },
  )

  it.each(hostileFiles)('is previewed with shortened names, or is refused: $name', async (file) => {
    const preview = await unlessRefused(previewFile(inChunks(file.bytes()), 'none'))
    const columns = preview?.columns ?? []
    expect(columns.filter((name) => name.length > 200)).toEqual([])
  })
})
