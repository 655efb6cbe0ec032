import type {
  ChangeSection,
  ColumnChanges,
  Comparison,
  ComparisonExample,
} from '../../../shared/schemas/comparison'
import { compareColumns, createChangeSample } from '../comparison/column-changes'
import type { ColumnNaming } from '../comparison/compared-columns'
import { findColumn } from '../read/categories/category-column'
import { createYielder } from '../yield-to-event-loop'
import { pairKeys, type PairSink } from './pair-keys'
import { createRecordReader, type ReadAt } from './record-reader'
import { createStoredRows, displayNames } from './stored-rows'
import { createComparisonTally, type FoundExample } from './tally-comparison'

const BUFFERED_RECORDS = 8 * 1024
const READ_BYTES = 256 * 1024
/** Longer keys are cut. */
const KEY_CHARACTERS = 100

/** A canonical file and its key file. */
export interface KeyedFile {
  readRows: ReadAt
  readKeys: ReadAt
  keysBytes: number
}

export interface CompareOptions {
  keyColumn: string
  /** Whether the quantities of the two files are those of the same column. */
  hasQuantities: boolean
  /** By which the cells of changed rows are compared too; null: they are not. */
  naming: ColumnNaming | null
  signal: AbortSignal
}

/** `columns` and `sections` are null when cells were not compared. */
export interface FileComparison {
  difference: Comparison
  columns: ColumnChanges | null
  sections: ChangeSection[] | null
}

/** Compares two files by their key files, in one pass, with memory that does not grow with them. */
export async function compareFiles(
  files: { older: KeyedFile; newer: KeyedFile },
  options: CompareOptions,
): Promise<FileComparison> {
  const { keyColumn, hasQuantities, naming, signal } = options
  const tally = createComparisonTally(hasQuantities)
  const sample = naming ? createChangeSample() : undefined
  const pair: PairSink['pair'] = (older, newer) => {
    tally.pair(older, newer)
    sample?.pair(older, newer)
  }
  await readPairs(files, { pair }, signal)
  const { counts, examples } = tally.result()
  const listed = await readExamples(files, keyColumn, examples)
  const sources = { older: files.older.readRows, newer: files.newer.readRows }
  const difference = { keyColumn, ...counts, examples: listed }
  if (!naming || !sample) return { difference, columns: null, sections: null }
  const cells = await compareColumns(sources, { keyColumn, naming, signal }, sample)
  return { difference, columns: cells.columns, sections: cells.sections.map(withCount(counts)) }
}

/** New and gone items are all counted by their keys; only the first of them are in the sample. */
const withCount =
  ({ added, removed }: Pick<Comparison, 'added' | 'removed'>) =>
  (section: ChangeSection): ChangeSection => ({
    ...section,
    count:
      { added, removed, quantity: null, price: null, other: null }[section.kind] ?? section.count,
  })

/** Passes all pairs of keys of two files on. */
export async function readPairs(
  { older, newer }: { older: KeyedFile; newer: KeyedFile },
  sink: PairSink,
  signal: AbortSignal,
): Promise<void> {
  const yieldToEventLoop = createYielder(signal)
  const toReader = ({ readKeys, keysBytes: end }: KeyedFile) =>
    createRecordReader(readKeys, { start: 0, end }, BUFFERED_RECORDS)
  await pairKeys(toReader(older), toReader(newer), sink, () => yieldToEventLoop(READ_BYTES))
  signal.throwIfAborted()
}

async function readExamples(
  { older, newer }: { older: KeyedFile; newer: KeyedFile },
  keyColumn: string,
  examples: FoundExample[],
): Promise<ComparisonExample[]> {
  const open = async ({ readRows }: KeyedFile) => {
    const rows = createStoredRows(readRows)
    const place = findColumn(displayNames(await rows.header()), keyColumn)
    return async (row: FoundExample['row']) => (await rows.cells(row))[place]?.trim() ?? ''
  }
  if (examples.length === 0) return []
  const readers = { older: await open(older), newer: await open(newer) }
  const listed: ComparisonExample[] = []
  for (const { row, ...example } of examples) {
    const key = await readers[row.isNewer ? 'newer' : 'older'](row)
    listed.push({ ...example, key: key.slice(0, KEY_CHARACTERS).toWellFormed() })
  }
  return listed
}
