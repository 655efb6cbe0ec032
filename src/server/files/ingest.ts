import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import type { CategoryReading, Dialect, FileProblem } from '../../shared/schemas/file'
import type { SourceReading } from '../../shared/schemas/source-reading'
import { explainRefusal } from './explain-refusal'
import type { FileError } from './file-error'
import { type CanonicalSource, type SourceView, createIntake } from './intake'
import {
  createKeyFile,
  type KeyDraft,
  type KeyFacts,
  type KeyFileOptions,
  type KeySink,
} from './keys/key-file'
import { enclosesCells } from './read/dialect/chosen-quoting'
import type { KnownHeader } from './read/dialect/header'
import { nameChoices } from './read/dialect/name-choices'
import type { EncodingHints } from './read/encoding/encoding'
import { AUTOMATIC_NUMBERS, type NumberChoice } from './read/quantities/quantity-column'
import type { Quoting } from './read/scan/scan'
import type { TableChoices, TableSummary } from './read/summary'
import { listQuotings, tryQuotings, splitChunk } from './read/table/table-reader'
import { rewriteSource } from './rewrite'
import type { OpenedTable } from './tables/open-table'
import { readingOfRows } from './tables/table-rows'
import { createYielder } from './yield-to-event-loop'

/** A scratch file: the part of the storage port's interface that file code needs. */
export interface Draft {
  /** The caller may reuse the chunk's memory once this has settled. */
  write(chunk: Uint8Array): Promise<void>
  /** Reads what has been written so far, from the beginning; may be called more than once. */
  read(): AsyncIterable<Uint8Array>
  discard(): Promise<void>
}

/** What a sync learns about a file. Column names and cells are trimmed and cut for display. */
export interface FileReport extends TableSummary {
  rowCount: number
  dialect: Dialect
  /** At most 20 kinds, each with its first line and its number of occurrences. */
  problems: FileProblem[]
  /** False when the source was already canonical: the draft equals it byte for byte. */
  isRewritten: boolean
}

export interface IngestOptions<D extends Draft, K extends KeyDraft = KeyDraft> {
  openDraft: () => Promise<D>
  /** How its key file is written; without it there is none. */
  keys?: KeyFileOptions<K>
  /** How the source was compressed; `body` is already decompressed. */
  compression: Dialect['compression']
  /** The column and separators to use; null to detect them. */
  categoryReading: CategoryReading | null
  /** What is known of the numbers in the quantity column. */
  numbers?: NumberChoice
  reading?: SourceReading
  encodingHints?: EncodingHints
  /** Whether another file is made of its rows: then nothing is told of what whole columns show. */
  isPart?: boolean
  /** Whether rows that say that they are removed will be: otherwise that is told. */
  removesRows?: boolean
  /** Where the table was found, of which `body` has the bytes. */
  table?: Pick<OpenedTable, 'rows' | 'encoding' | 'origin' | 'report'> | undefined
  /** What was found of the file before. */
  knownHeader?: KnownHeader | undefined
  signal: AbortSignal
  /** Called as bytes are received and rows counted; the row count restarts when rewriting begins. */
  onProgress?: (progress: IngestProgress) => void
}

export interface IngestProgress {
  /** Bytes received, decompressed. */
  bytes: number
  rows: number
  /** Whether the whole body has been received. */
  isReceived: boolean
}

/**
 * Converts a source to a canonical file: UTF-8, comma, RFC 4180, one header. A source that is already
 * canonical passes through byte for byte; any other is rewritten losslessly. Only the name of a column that
 * files of changes need for themselves is replaced.
 *
 * The source is stored as received. If a deviation is found late (an invalid byte at 100 MB, an
 * unquoted inch mark), the stored copy is read again; nothing is fetched a second time.
 * @returns the draft with the canonical bytes, for the caller to commit or discard
 * @throws FileError for a source that cannot be used, or the signal's reason; all drafts are
 * discarded then
 */
export async function ingestFile<D extends Draft, K extends KeyDraft = KeyDraft>(
  body: AsyncIterable<Uint8Array>,
  given: IngestOptions<D, K>,
): Promise<{ draft: D; report: FileReport; keys: { draft: K; facts: KeyFacts } | null }> {
  const chosen = given.reading ?? AUTOMATIC_READING
  const isSheet = given.table?.rows !== undefined
  const options = {
    ...given,
    reading: given.table?.rows ? readingOfRows(chosen, given.table.rows) : chosen,
  }
  const drafts = new Set<D>()
  const choices = toChoices(options)
  const keyFile =
    options.keys && createKeyFile({ ...options.keys, arePaths: given.table?.rows?.arePaths })
  const openDraft = async () => {
    const draft = await options.openDraft()
    drafts.add(draft)
    return draft
  }
  const discard = async (draft: D) => {
    drafts.delete(draft)
    await draft.discard()
  }
  try {
    options.signal.throwIfAborted()
    const raw = await openDraft()
    const { bytes, view, canonical } = await receive(body, raw, { ...options, choices }, keyFile)
    const onRows = (rows: number) => options.onProgress?.({ bytes, rows, isReceived: true })
    const finishKeys = async () =>
      (await keyFile?.finish(createKeyProgress(options, onRows))) ?? null
    if (canonical) {
      const { renamedHeader } = canonical
      const report = describe(canonical, view, options, renamedHeader !== undefined)
      if (!renamedHeader) return { draft: raw, report, keys: await finishKeys() }
      const draft = await openDraft()
      await copyUnder(renamedHeader, raw, draft, options.signal)
      await discard(raw)
      return { draft, report, keys: await finishKeys() }
    }
    const rewrite = async (quoting: Quoting, strictFailure: FileError | undefined) => {
      const draft = await openDraft()
      try {
        const write = (chunk: Uint8Array) => draft.write(chunk)
        const task = {
          ...options,
          choices,
          view,
          quoting,
          strictFailure,
          write,
          onRows,
          keys: keyFile,
        }
        const source = await rewriteSource(raw.read(), task)
        return { draft, report: describe(source, view, options, true, enclosesCells(quoting)) }
      } catch (error) {
        await discard(draft)
        throw error
      }
    }
    const rewritten = await tryQuotings(rewrite, listQuotings(view), (error, quoting) => {
      const source = { bytes: raw.read(), isWhole: true, signal: options.signal, onRows }
      return explainRefusal(error, { ...view, quoting }, source)
    })
    await discard(raw)
    return { ...rewritten, keys: await finishKeys() }
  } catch (error) {
    await Promise.allSettled([...drafts].map((draft) => draft.discard()))
    throw isSheet ? error : nameChoices(error, chosen)
  } finally {
    await keyFile?.close()
  }
}

/** Copies a file, except for its first bytes. */
async function copyUnder(first: Buffer, raw: Draft, draft: Draft, signal: AbortSignal) {
  const yieldToEventLoop = createYielder(signal)
  await draft.write(first)
  let skip = first.length
  for await (const chunk of raw.read()) {
    await yieldToEventLoop(chunk.length)
    if (chunk.length > skip) await draft.write(chunk.subarray(skip))
    skip = Math.max(0, skip - chunk.length)
  }
}

function toChoices(options: IngestOptions<Draft>): TableChoices {
  const { categoryReading, keys, numbers, isPart = false, removesRows = false } = options
  const quantities = { column: keys?.roles.quantity ?? null, ...(numbers ?? AUTOMATIC_NUMBERS) }
  return { categories: categoryReading, quantities, isPart, removesRows }
}

/** Sorting keys takes no bytes of the source; its progress is told in rows. */
function createKeyProgress({ signal }: IngestOptions<Draft>, onRows: (rows: number) => void) {
  const yieldToEventLoop = createYielder(signal)
  return async (records: number) => {
    onRows(records)
    await yieldToEventLoop(MERGED_BYTES)
  }
}

/** Between two reports of progress; counted for when to yield. */
const MERGED_BYTES = 64 * 1024

/** The first pass: stores the body in the draft and inspects it on the way. */
async function receive(
  body: AsyncIterable<Uint8Array>,
  raw: Draft,
  { choices, signal, onProgress, ...options }: IngestOptions<Draft> & { choices: TableChoices },
  keys: KeySink | undefined,
): Promise<{ bytes: number; view: SourceView; canonical: CanonicalSource | null }> {
  const rows = options.table?.rows
  const intake = createIntake(choices, { ...options, rows, keys })
  const yieldToEventLoop = createYielder(signal)
  let bytes = 0
  for await (const chunk of body) {
    for (const piece of splitChunk(chunk)) {
      await yieldToEventLoop(piece.length)
      await intake.push(piece)
      await raw.write(piece)
      bytes += piece.length
      onProgress?.({ bytes, rows: intake.rowCount(), isReceived: false })
    }
  }
  onProgress?.({ bytes, rows: intake.rowCount(), isReceived: true })
  signal.throwIfAborted()
  return { bytes, ...(await intake.finish()) }
}

function describe(
  { rowCount, summary, problems }: CanonicalSource,
  { encoding, dialect }: SourceView,
  { compression, table }: Pick<IngestOptions<Draft>, 'compression' | 'table'>,
  isRewritten: boolean,
  isQuoted = true,
): FileReport {
  table?.report(problems)
  if (encoding.note !== undefined) problems.add(null, encoding.note, { setting: 'encoding' })
  return {
    ...summary,
    rowCount,
    dialect: {
      encoding: table?.encoding ?? encoding.name,
      hasByteOrderMark: encoding.bomLength > 0,
      delimiter: dialect.delimiter,
      isQuoted,
      hasHeader: dialect.hasHeader,
      compression,
      ...(table?.origin && { origin: table.origin }),
    },
    problems: problems.list(),
    isRewritten,
  }
}
