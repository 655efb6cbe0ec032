import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import { type Draft, ingestFile, type IngestOptions } from '../ingest'
import type { KeyedFile } from '../keys/compare-files'
import type { KeyDraft } from '../keys/key-file'
import { RECORD_BYTES } from '../keys/key-records'
import type { KeyColumns } from '../keys/key-rows'

/** A scratch file for rows or keys. */
export type PartDraft = Draft & KeyDraft

export interface PartOptions<D extends PartDraft>
  extends
    Pick<
      IngestOptions<D>,
      | 'compression'
      | 'reading'
      | 'encodingHints'
      | 'knownHeader'
      | 'removesRows'
      | 'table'
      | 'signal'
      | 'onProgress'
    >,
    Pick<KeyColumns, 'knownKey'> {
  openDraft: (content: 'rows' | 'keys' | 'runs') => Promise<D>
  /** What the supplier has decided of the columns. */
  roles: ColumnRoles
}

/** A file of which, with another one, a file is made: its rows and its keys. */
export type Part<D extends PartDraft> = Awaited<ReturnType<typeof ingestPart<D>>>

/** Reads a file of which, with another one, a file is made. @throws FileError for one that cannot be read */
export const ingestPart = <D extends PartDraft>(
  body: AsyncIterable<Uint8Array>,
  { openDraft, roles, knownKey, ...reading }: PartOptions<D>,
) =>
  ingestFile<D, D>(body, {
    ...reading,
    openDraft: () => openDraft('rows'),
    keys: { roles, knownKey, stockTexts: [], openDraft },
    categoryReading: null,
    isPart: true,
  })

/** The rows of a part that has keys. */
export function keyedPart<D extends PartDraft>({ draft, keys }: Part<D>): KeyedFile {
  if (!keys) throw new Error('A part of a file has no keys')
  return {
    readRows: draft.readAt,
    readKeys: keys.draft.readAt,
    keysBytes: keys.facts.keyCount * RECORD_BYTES,
  }
}

export const discardPart = <D extends PartDraft>({ draft, keys }: Part<D>) =>
  Promise.all([draft.discard(), keys?.draft.discard()])
