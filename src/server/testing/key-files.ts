import type { ColumnRoles, StockText } from '../../shared/schemas/column-policy'
import { ingestFeed } from '../feed/ingest'
import { compareFiles, type KeyedFile } from '../feed/keys/compare-files'
import type { KeyDraft } from '../feed/keys/key-file'
import type { ReadAt } from '../feed/keys/record-reader'
import { createMemoryDrafts, inChunks, readAll } from './feed-fixtures'

export const NO_ROLES: ColumnRoles = { sku: null, quantity: null, barcode: null, price: null }
const { signal } = new AbortController()

/** A scratch file in memory. */
export function createMemoryKeyDraft(): KeyDraft & { content(): Buffer; isDiscarded(): boolean } {
  const chunks: Buffer[] = []
  let isDiscarded = false
  const content = () => Buffer.concat(chunks)
  return {
    content,
    isDiscarded: () => isDiscarded,
    async write(chunk) {
      chunks.push(Buffer.from(chunk))
    },
    readAt: (target, position) => readFrom(content())(target, position),
    async discard() {
      isDiscarded = true
    },
  }
}

export function readFrom(bytes: Buffer): ReadAt {
  return async (target, position) => {
    const part = bytes.subarray(position, position + target.byteLength)
    target.set(part)
    return part.length
  }
}

type Options = {
  roles?: ColumnRoles
  stockTexts?: StockText[]
  runRecords?: number
  chunkBytes?: number
}

/** Ingests a source with its key file; checks that only the key file's draft is left. */
export async function ingestKeyed(
  source: string | Buffer,
  { roles = NO_ROLES, stockTexts = [], runRecords = 1_000, chunkBytes }: Options = {},
) {
  const drafts: ReturnType<typeof createMemoryKeyDraft>[] = []
  const openDraft = async () => {
    const draft = createMemoryKeyDraft()
    drafts.push(draft)
    return draft
  }
  const { draft, keys } = await ingestFeed(inChunks(Buffer.from(source), chunkBytes), {
    openDraft: createMemoryDrafts().open,
    keys: { roles, stockTexts, openDraft, runRecords },
    compression: 'none',
    categoryReading: null,
    signal,
  })
  const left = drafts.filter((candidate) => !candidate.isDiscarded())
  if (left.length !== (keys ? 1 : 0)) throw new Error('Drafts are left')
  const rows = await readAll(draft.read())
  const content = keys?.draft.content() ?? Buffer.alloc(0)
  const file: KeyedFile = {
    readRows: readFrom(rows),
    readKeys: readFrom(content),
    keysBytes: content.length,
  }
  return { file, facts: keys?.facts ?? null, text: rows.toString(), keys: content }
}

/** What differs between two sources, as `differenceSchema` has it. */
export async function differenceOf(older: string, newer: string, options: Options = {}) {
  const [before, after] = [await ingestKeyed(older, options), await ingestKeyed(newer, options)]
  const keyColumn = after.facts?.column ?? ''
  return compareFiles(
    { older: before.file, newer: after.file },
    { keyColumn, hasQuantities: true, comparesColumns: true, signal },
  )
}
