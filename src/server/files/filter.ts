import {
  createCategoryMatcher,
  matchCategories,
  rememberOfCells,
  type CategorySeparators,
} from '../../shared/categories'
import type { CategoryReading, FileProblem } from '../../shared/schemas/file'
import { type ByteOutput, createByteOutput } from './byte-output'
import { FileError } from './file-error'
import { type GoneItem, readGoneItem } from './gone/gone-list'
import { createPricedRows, type PricedRows } from './pricing/priced-rows'
import type { JudgedPricing, Pricing } from './pricing/pricing'
import { findColumn } from './read/categories/category-column'
import { type FillDown, createFillDown } from './read/categories/fill-down'
import { createProblemLog } from './read/problems'
import { displayName } from './read/scan/display-cell'
import { type RecordBatch, listCells } from './read/scan/scan'
import { createScanner } from './read/scan/scanner'
import { type Head, addRecord, createHead } from './read/table/head-rows'
import { scanCanonical } from './read/table/scan-canonical'
import { type RowSink, createTable } from './read/table/table'
import { splitChunk } from './read/table/table-reader'
import type { OutputFormat } from './shop-formats/column-finder'
import { createRowOutput } from './shop-formats/row-output'
import type { RowOutput, RowTarget, Write } from './shop-formats/row-target'
import { createShopRows } from './shop-formats/shop-rows'
import { createYielder } from './yield-to-event-loop'

export interface FilterOptions {
  /** null when the file has no category column: no row belongs to a category then. */
  categoryReading: CategoryReading | null
  /** Categories whose rows are written, with none only the header; null for all rows. */
  categories: readonly string[] | null
  /** How prices are made of costs, in the rows that are written then. */
  pricing?: Pricing | undefined
  /** null: rows are written byte for byte. */
  format: OutputFormat | null
  /** The list of items that have left the file, and the column of their keys. */
  gone?: { keyColumn: string; read: () => AsyncIterable<Uint8Array> } | undefined
  /** Where a preview stops; without it the whole file is read. */
  until?: { rows: number; bytes: number }
  signal: AbortSignal
}

/** With what is known of the file's costs. */
export type JudgedOptions = Omit<FilterOptions, 'pricing'> & {
  pricing?: JudgedPricing | undefined
}

export interface FilteredRows {
  rowCount: number
  /** The names of the first columns as displayed, and the number of all. */
  columns: string[]
  columnCount: number
  headRows: string[][]
  /** What the retailer and its supplier should know of the written rows. */
  problems: FileProblem[]
  /** Whether the file has been read to its end. */
  isWhole: boolean
}

/** One of the files that are written of a file. */
export type OpenedView = Omit<JudgedOptions, 'categoryReading' | 'until' | 'signal'> & {
  /** May use the chunk only until its promise settles: the memory is reused. */
  write: Write
}

/** What is the same for all of them. */
type Reading = Pick<FilterOptions, 'categoryReading' | 'until' | 'signal'>

/**
 * Writes the header and exactly the matching rows of a canonical file, byte for byte or in a shop's
 * format; in formats with quantities also the items that have left the file, at quantity 0. Byte for
 * byte, the row count equals the one that the category index computes from the counts
 * of the same file.
 * @param write may use the chunk only until its promise settles: the memory is reused
 * @throws FileError `missing-column` when the format needs a column that the file does not have
 */
export async function filterFile(
  source: AsyncIterable<Uint8Array>,
  { categoryReading, until, signal, ...view }: JudgedOptions,
  write: Write,
): Promise<FilteredRows> {
  const reading = { categoryReading, until, signal }
  const [filtered] = await filterTogether(source, [{ ...view, write }], reading)
  if (filtered instanceof FileError) throw filtered
  return filtered as FilteredRows
}

/**
 * Writes several files, each as `filterFile` does, while the file is read once.
 * @returns the rows of each, or why it could not be written
 */
export async function filterTogether(
  source: AsyncIterable<Uint8Array>,
  views: readonly OpenedView[],
  reading: Reading,
): Promise<(FilteredRows | FileError)[]> {
  const { until, signal } = reading
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const table = createTable({
    hasHeader: true,
    requireExactWidth: true,
    // In files that were stored before they were left out, they have been counted as rows.
    dropsOtherLines: false,
    problems: createProblemLog(),
  })
  const yieldToEventLoop = createYielder(signal)
  const filters = views.map((view) => createFilter(view, reading))
  const sink = distribute(filters, reading)
  let bytes = 0
  const flush = async () => {
    for (const filter of filters) await filter.flush(bytes)
  }
  const { rows: wantedRows = Infinity, bytes: wantedBytes = Infinity } = until ?? {}
  const isEnough = () =>
    bytes >= wantedBytes || filters.every((filter) => filter.isEnough(wantedRows))
  for await (const chunk of source) {
    for (const piece of splitChunk(chunk)) {
      await yieldToEventLoop(piece.length)
      table.read(scanner.push(piece), sink)
      bytes += piece.length
      await flush()
      if (isEnough()) return filters.map((filter) => filter.result(false))
    }
  }
  signal.throwIfAborted()
  table.read(scanner.end(), sink)
  await flush()
  const results: (FilteredRows | FileError)[] = []
  for (const filter of filters) results.push(await filter.end(bytes))
  return results
}

type Filter = ReturnType<typeof createFilter>

/** Passes each row on to the files that it belongs to. Its category is read once for all of them. */
function distribute(filters: readonly Filter[], { categoryReading }: Reading): RowSink {
  let column = -1
  let categoryOf: FillDown = noCategory
  const withoutCategory = filters.filter((filter) => filter.matches === null)
  const hasAll = withoutCategory.length === filters.length
  const listOf = rememberOfCells((category) =>
    filters.filter(({ matches }) => matches === null || matches(category)),
  )
  return {
    start(columns, header) {
      column = categoryReading ? findColumn(columns, categoryReading.column) : -1
      categoryOf = createFillDown(columns, column)
      for (const filter of filters) filter.start(columns, header)
    },
    row(batch, record) {
      const chosen = hasAll || column < 0 ? withoutCategory : listOf(categoryOf(batch, record))
      for (const filter of chosen) filter.row(batch, record)
    },
  }
}

/** What writes one of the files; what it cannot write does not stop the others. */
function createFilter(view: OpenedView, { categoryReading, until, signal }: Reading) {
  const { gone, write, categories } = view
  const selection = createSelection(view, categoryReading)
  let failure: FileError | undefined
  const fail = (error: unknown) => {
    if (!(error instanceof FileError)) throw error
    failure = error
  }
  const checkGrowth = (bytes: number) => {
    if (selection.output.size() > MAX_GROWTH * bytes + FREE_BYTES) throw muchLarger()
  }
  const attempt = async (work: () => Promise<void>) => {
    if (failure) return
    try {
      await work()
    } catch (error) {
      fail(error)
    }
  }

  async function writeGone(
    read: () => AsyncIterable<Uint8Array>,
    fileBytes: number,
  ): Promise<boolean> {
    let bytes = fileBytes
    let isHeader = true
    for await (const batch of scanCanonical(read(), signal)) {
      for (let record = 0; record < batch.count; record++) {
        if (!isHeader) selection.gone(readGoneItem(batch, record))
        isHeader = false
        bytes += (batch.ends[record] as number) - (batch.starts[record] as number)
        if (record % GONE_AT_ONCE === 0) await selection.output.flush(write)
        checkGrowth(bytes)
      }
      await selection.output.flush(write)
      if (until && (selection.rowCount() >= until.rows || bytes >= until.bytes)) return false
    }
    return true
  }

  const result = (isWhole: boolean) => failure ?? selection.result(isWhole)
  return {
    /** Whether a row with this category belongs to it; null for all rows. */
    matches:
      categories && (categoryReading ? matchCategories(categories, categoryReading) : matchNothing),
    start(columns: string[], header: Header): void {
      try {
        selection.start(columns, header)
      } catch (error) {
        fail(error)
      }
    },
    row(batch: RecordBatch, record: number): void {
      if (failure) return
      try {
        selection.row(batch, record)
      } catch (error) {
        fail(error)
      }
    },
    /** @param bytes of the file that have been read */
    flush: (bytes: number) =>
      attempt(async () => {
        await selection.output.flush(write)
        checkGrowth(bytes)
      }),
    /** Whether it has so many rows, or will not have more. */
    isEnough: (rows: number) => failure !== undefined || selection.rowCount() >= rows,
    result,
    /** Writes what follows the rows. */
    async end(bytes: number) {
      let isWhole = true
      await attempt(async () => {
        if (gone && selection.writesGone()) isWhole = await writeGone(gone.read, bytes)
        if (isWhole) await selection.output.finish(write)
      })
      return result(isWhole)
    },
  }
}

/** Items that are written between two flushes: in JSON, each can be a hundred times as long as it is stored. */
const GONE_AT_ONCE = 256

/**
 * A written file may be this many times larger than its source, plus some bytes: names of columns, which
 * stand in each JSON object, could make it a hundred times larger. Ordinary names make it four times, short
 * cells ten times larger.
 */
const MAX_GROWTH = 16
const FREE_BYTES = 1024 * 1024

const muchLarger = () =>
  new FileError(
    'too-large',
    `In this form the file would be more than ${MAX_GROWTH} times larger than its source. Choose shorter names or fewer columns.`,
  )

const matchNothing = () => false
const noCategory: FillDown = () => ''

/** Passes rows on to an output. */
function createSelection(
  { categories, pricing, format, gone }: OpenedView,
  reading: CategoryReading | null,
) {
  const matchesGone = createGoneMatcher(categories ?? [], reading)
  const copied = createByteOutput()
  const written = format && createRowOutput(format)
  const output: Omit<RowOutput, 'start'> = written ?? {
    ...copied,
    size: copied.total,
    finish: copied.flush,
  }
  let rows: RowWriter | undefined
  let priced: PricedRows | undefined
  let rowCount = 0
  return {
    start(columns: string[], header: Header): void {
      const goneKeyColumn = gone?.keyColumn ?? null
      if (pricing && header) priced = createPricedRows(namesOf(header), pricing)
      const shown =
        priced && header ? { batch: priced.header(header.batch, header.record), record: 0 } : header
      rows = written
        ? writeForShop(shown, { ...format, goneKeyColumn }, written.start)
        : copyRows(priced?.names.map(displayName) ?? columns, shown, copied)
    },
    row(batch: RecordBatch, record: number): void {
      const isWritten = priced ? rows?.row(priced.row(batch, record), 0) : rows?.row(batch, record)
      if (isWritten) rowCount++
    },
    /** Writes an item that has left the file if it was one of those that are selected. */
    gone(item: GoneItem): void {
      const isOne = categories === null || matchesGone(item)
      if (isOne && rows?.gone(item)) rowCount++
    },
    writesGone: () => rows?.writesGone ?? false,
    output,
    rowCount: () => rowCount,
    result: (isWhole: boolean): FilteredRows => ({
      rowCount,
      columns: rows?.head.columns ?? [],
      columnCount: rows?.columnCount ?? 0,
      headRows: rows?.head.rows ?? [],
      problems: [...(priced?.problems() ?? []), ...(rows?.problems() ?? [])],
      isWhole,
    }),
  }
}

/** Tells whether an item that has left was in one of these categories, as they were read then. */
function createGoneMatcher(categories: readonly string[], present: CategorySeparators | null) {
  const matchers = new Map<string, (cell: string) => boolean>()
  return ({ category, separators }: GoneItem): boolean => {
    const reading = separators ?? present
    if (!reading) return false
    const name = `${reading.pathSeparator} ${reading.listSeparator}`
    const matches = matchers.get(name) ?? createCategoryMatcher(categories, reading)
    matchers.set(name, matches)
    return matches(category)
  }
}

type Header = Parameters<RowSink['start']>[1]

const namesOf = (header: Header): string[] => (header ? listCells(header.batch, header.record) : [])

interface RowWriter {
  head: Head
  columnCount: number
  /** Returns whether the row was written. */
  row(batch: RecordBatch, record: number): boolean
  /** Likewise of an item that has left the file. */
  gone(item: GoneItem): boolean
  writesGone: boolean
  problems(): FileProblem[]
}

/** Copies the bytes of rows. */
function copyRows(columns: string[], header: Header, output: ByteOutput): RowWriter {
  const head = createHead(columns)
  const copy = ({ bytes, starts, ends }: RecordBatch, record: number) =>
    output.add(bytes, starts[record] as number, ends[record] as number)
  if (header) copy(header.batch, header.record)
  return {
    head,
    columnCount: columns.length,
    row(batch, record) {
      copy(batch, record)
      addRecord(head, batch, record)
      return true
    },
    gone: () => false,
    writesGone: false,
    problems: () => [],
  }
}

/** Writes rows in the format of a shop. */
function writeForShop(
  header: Header,
  { goneKeyColumn, ...format }: OutputFormat & { goneKeyColumn: string | null },
  target: RowTarget,
): RowWriter {
  return createShopRows(namesOf(header), format, goneKeyColumn, target)
}
