import { createHash } from 'node:crypto'

import { AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { Removal, UpdateCounts } from '../../../shared/schemas/updates'
import { type Draft, type FileReport, ingestFile, type IngestOptions } from '../ingest'
import type { KeyedFile } from '../keys/compare-files'
import type { KeyDraft } from '../keys/key-file'
import { RECORD_BYTES } from '../keys/key-records'
import { createStoredRows } from '../keys/stored-rows'
import { cellBytes, writeCell } from '../tables/csv-cell'
import type { TableRows } from '../tables/table-rows'
import { createMerge, readFromMemory, toCounts } from './merge-files'
import { reportMerge } from './merge-notes'
import { type MergedColumns, type MergePlan, planFull, planMerge } from './merge-plan'
import { requireUniqueKeys } from './unique-keys'

/** A scratch file for rows or keys. */
export type UpdateDraft = Draft & KeyDraft

/** What an update is merged onto. */
export interface OpenedBase extends KeyedFile {
  keyColumn: string
  hasHeader: boolean
  categoryColumn: string | null
}

export interface UpdateOptions<D extends UpdateDraft> extends Pick<
  IngestOptions<D>,
  'compression' | 'reading' | 'encodingHints' | 'knownHeader' | 'table' | 'signal' | 'onProgress'
> {
  openDraft: (content: 'rows' | 'keys' | 'runs') => Promise<D>
  /** null for a full file. */
  base: OpenedBase | null
  removal: Removal | null
  /** What the supplier has decided of the columns. */
  roles: ColumnRoles
}

/** An update, or a full file, that has been read and is not merged yet. */
export interface OpenedUpdate {
  /** What was found in it. */
  report: FileReport
  /** The hash of its canonical form. */
  hash(): Promise<string>
  /** @throws FileError for one that cannot be merged */
  merge(): Promise<MergedUpdate>
  discard(): Promise<void>
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
export async function openUpdate<D extends UpdateDraft>(
  body: AsyncIterable<Uint8Array>,
  options: UpdateOptions<D>,
): Promise<OpenedUpdate> {
  const { openDraft, base, roles, removal: _, ...reading } = options
  const read = await ingestFile<D, D>(body, {
    ...reading,
    openDraft: () => openDraft('rows'),
    keys: {
      roles: base ? { ...AUTOMATIC_ROLES, sku: base.keyColumn } : roles,
      stockTexts: [],
      openDraft,
    },
    categoryReading: null,
    isPart: true,
  })
  const { draft, keys, report } = read
  return {
    report,
    hash: () => hashOf(draft.read()),
    merge: () => merge(read, options),
    async discard() {
      await Promise.all([draft.discard(), keys?.draft.discard()])
    },
  }
}

async function merge<D extends UpdateDraft>(
  { draft, keys, report }: Awaited<ReturnType<typeof ingestFile<D, D>>>,
  options: UpdateOptions<D>,
): Promise<MergedUpdate> {
  const { base, removal, signal } = options
  const { hasHeader } = report.dialect
  const columns = { header: await createStoredRows(draft.readAt).header(), hasHeader }
  const planned = base && planMerge(await columnsOf(base), columns, { ...base, removal })
  const facts = { rowCount: report.rowCount, ...(keys?.facts ?? { column: null }) }
  requireUniqueKeys(facts, base ? 'update' : 'full file')
  const update = {
    readRows: draft.readAt,
    readKeys: keys!.draft.readAt,
    keysBytes: (keys?.facts.keyCount ?? 0) * RECORD_BYTES,
  }
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
  { removal }: Pick<UpdateOptions<UpdateDraft>, 'removal'>,
  { column }: { column: string | null },
): { base: KeyedFile; plan: MergePlan } | null {
  const planned = removal && planFull(columns, column ?? '', removal)
  if (!planned) return null
  const base = {
    readRows: readFromMemory(toLine(planned.header)),
    readKeys: readFromMemory(Buffer.alloc(0)),
    keysBytes: 0,
  }
  return { base, plan: planned.plan }
}

function toLine(cells: string[]): Buffer {
  const bytes = Buffer.alloc(cells.reduce((sum, cell) => sum + cellBytes(cell) + 1, 2))
  let end = 0
  for (const [column, cell] of cells.entries()) {
    if (column > 0) end += bytes.write(',', end)
    end = writeCell(cell, bytes, end)
  }
  return bytes.subarray(0, end + bytes.write('\r\n', end))
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}
