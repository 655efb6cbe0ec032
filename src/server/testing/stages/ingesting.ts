import { expect } from 'vitest'

import type { CategoryReading } from '../../../shared/schemas/file'
import { FileError } from '../../files/file-error'
import { ingestFile } from '../../files/ingest'
import { createMemoryDrafts, inChunks, readAll } from '../fixtures/file-fixtures'

const { signal } = new AbortController()

/** Ingests a whole source, and checks that only the returned draft is left. */
export async function ingest(
  source: string | Uint8Array,
  categoryReading: CategoryReading | null = null,
  chunkBytes?: number,
) {
  const drafts = createMemoryDrafts()
  const { draft, report } = await ingestFile(inChunks(Buffer.from(source), chunkBytes), {
    openDraft: drafts.open,
    compression: 'none',
    categoryReading,
    signal,
  })
  expect(drafts.kept()).toEqual([draft])
  return { text: (await readAll(draft.read())).toString(), report }
}

/** The error that a source is refused with; checks that no draft is left. */
export async function refusalOf(source: string | Uint8Array): Promise<FileError> {
  const drafts = createMemoryDrafts()
  const error = await ingestFile(inChunks(Buffer.from(source)), {
    openDraft: drafts.open,
    compression: 'none',
    categoryReading: null,
    signal,
  }).catch((reason: unknown) => reason)
  expect(drafts.kept()).toEqual([])
  if (!(error instanceof FileError)) throw new Error(`No FileError but ${String(error)}`)
  return error
}
