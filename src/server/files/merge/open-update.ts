import { createHash } from 'node:crypto'

import { AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import type { Removal, UpdateCounts } from '../../../shared/schemas/updates'
import type { Draft, FileReport } from '../ingest'
import type { KeyedFile } from '../keys/compare-files'
import { createStoredRows } from '../keys/stored-rows'
import { csvLine } from '../tables/csv-cell'
import type { TableRows } from '../tables/table-rows'
import {
  discardPart,
  ingestPart,
  keyedPart,
  type Part,
  type PartDraft,
  type PartOptions,
} from './ingest-part'
import { createMerge, readFromMemory, toCounts } from './merge-files'
import { reportMerge } from './merge-notes'
import { type MergedColumns, type MergePlan, planFull, planMerge } from './merge-plan'
import { requireUniqueKeys } from './unique-keys'

const CRLF = Buffer.from('\r\n')

/** What an update is merged onto. */
export interface OpenedBase extends KeyedFile {
  keyColumn: string
  hasHeader: boolean
  categoryColumn: string | null
}

interface UpdateOptions<D extends PartDraft> extends PartOptions<D> {
  /** null for a full file. */
  base: OpenedBase | null
  removal: Removal | null
}

const UPDATE = { code: 'update-keys', what: 'The update cannot be used', use: 'updated' } as const
const FULL_FILE = { ...UPDATE, what: 'The full file cannot be used' } as const

/** An update, or a full file, that has been read and is not merged yet. */
export interface OpenedUpdate {
  /** What was found in it. */
  report: FileReport
  /** The hash of its canonical form. */
  hash(): Promise<string>
  /** @throws FileError for one that cannot be merged */
  merge(): Promise<MergedUpdate>
  discard(): Promise<unknown>
}

/** What comes of an update. */
interface MergedUpdate {
  rows: TableRows
  /** Whether these are other rows than its own. */
  isMerged: boolean
  /** Finds what would come of it, and writes nothing. */
  count(): Promise<void>
  /** What came of the rows that were read or counted; null for a full file. */
  counts(): UpdateCounts | null
}

/**
 * Reads an update, or a full file onto which updates are to be merged.
 * @throws FileError for one that cannot be read
 */
export async function openUpdate<D extends PartDraft>(
  body: AsyncIterable<Uint8Array>,
  options: UpdateOptions<D>,
): Promise<OpenedUpdate> {
  const { base, roles, removal, ...reading } = options
  const read = await ingestPart(body, {
    ...reading,
    removesRows: removal !== null,
    roles: base ? { ...AUTOMATIC_ROLES, sku: base.keyColumn } : roles,
  })
  const { draft, report } = read
  return {
    report,
    hash: () => hashOf(draft.read()),
    merge: () => merge(read, options),
    discard: () => discardPart(read),
  }
}

async function merge<D extends PartDraft>(
  part: Part<D>,
  options: UpdateOptions<D>,
): Promise<MergedUpdate> {
  const { draft, keys, report } = part
  const { base, removal, signal } = options
  const { hasHeader } = report.dialect
  const columns = { header: await createStoredRows(draft.readAt).header(), hasHeader }
  const planned = base && planMerge(await columnsOf(base), columns, { ...base, removal })
  const facts = { rowCount: report.rowCount, ...(keys?.facts ?? { column: null }) }
  requireUniqueKeys(facts, base ? UPDATE : FULL_FILE)
  const update = keyedPart(part)
  const target = base && planned ? { base, plan: planned } : withoutRemoved(columns, options, facts)
  const merging = target && createMerge({ base: target.base, update }, target.plan, signal)
  return {
    rows: {
      read: () => (merging ? merging.read() : readDraft(draft)),
      width: () => 0,
      report(problems) {
        if (planned && merging) reportMerge(problems, planned, merging.tally())
      },
    },
    isMerged: merging !== null,
    count: async () => merging?.count(),
    counts: () => (base && merging ? toCounts(merging.tally()) : null),
  }
}

async function* readDraft(draft: Draft): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, length } of draft.read()) {
    yield Buffer.from(buffer, byteOffset, length)
  }
}

async function columnsOf({ readRows, hasHeader }: OpenedBase): Promise<MergedColumns> {
  return { header: await createStoredRows(readRows).header(), hasHeader }
}

/**
 * A full file may have the column by which updates remove items: it is merged without it onto nothing but its
 * header. null for one that does not have it, and is taken as it is.
 */
function withoutRemoved(
  columns: MergedColumns,
  { removal }: Pick<UpdateOptions<PartDraft>, 'removal'>,
  { column }: { column: string | null },
): { base: KeyedFile; plan: MergePlan } | null {
  const planned = removal && planFull(columns, column ?? '', removal)
  if (!planned) return null
  const base = {
    readRows: readFromMemory(Buffer.concat([csvLine(planned.header), CRLF])),
    readKeys: readFromMemory(Buffer.alloc(0)),
    keysBytes: 0,
  }
  return { base, plan: planned.plan }
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}
