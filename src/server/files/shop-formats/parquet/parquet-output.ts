import { ByteWriter, ParquetWriter } from 'hyparquet-writer'

import { FileError } from '../../file-error'
import type { Layout } from '../layout'
import type { RowOutput, RowTarget, Write } from '../row-target'
import { toDistinctNames } from '../row-text'
import { DECIMAL_DIGITS, type Scale } from './scale'

/** What a row group holds: it is encoded as a whole, column by column. */
const GROUP_CELLS = 128 * 1024
const GROUP_CHARACTERS = 4 * 1024 * 1024
/** Of many columns; each column of a group is listed at the end of the file, and kept until then. */
const LEAST_GROUP_ROWS = 500
const MAX_CHUNKS = 100_000

type Value = string | bigint | null
type Column = { name: string; scale: Scale; values: Value[] }

/**
 * Writes rows as Parquet, in row groups and constant memory. Texts are UTF-8, whole numbers 64-bit integers, and
 * others decimals; an empty cell of a column of numbers is null.
 * @param maxChunks how many columns of row groups there may be in all
 * @param scales of the columns; without one, only computed quantities are numbers
 */
export function createParquetOutput(
  scales: readonly Scale[] = [],
  maxChunks = MAX_CHUNKS,
): RowOutput {
  let columns: Column[] = []
  let rowCount = 0
  let characters = 0
  let chunkCount = 0
  let size = 0
  let file: ReturnType<typeof createFile> | undefined

  const start: RowTarget = ({ layout }) => {
    columns = toColumns(layout, scales)
    file = createFile(columns)
    return (cells) => {
      for (const [place, { scale, values }] of columns.entries()) {
        const cell = cells[place] ?? ''
        const text = String(cell)
        values.push(scale === null ? text : toUnscaled(text, scale))
        characters += text.length
        size += text.length + 1
      }
      rowCount++
    }
  }

  function isGroupFull(): boolean {
    const cells = rowCount * columns.length
    return characters >= GROUP_CHARACTERS || (cells >= GROUP_CELLS && rowCount >= LEAST_GROUP_ROWS)
  }

  async function writeGroup(write: Write): Promise<void> {
    chunkCount += columns.length
    if (chunkCount > maxChunks) throw tooManyColumns()
    file?.add(columns)
    for (const column of columns) column.values = []
    rowCount = 0
    characters = 0
    await file?.flush(write)
  }

  return {
    start,
    size: () => size,
    async flush(write) {
      if (isGroupFull()) await writeGroup(write)
    },
    async finish(write) {
      if (rowCount > 0) await writeGroup(write)
      file ??= createFile([])
      file.end()
      await file.flush(write)
    },
  }
}

/** The bytes of a file, of which those that were passed on are forgotten. */
function createFile(columns: readonly Column[]) {
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'inventory', num_children: columns.length }, ...columns.map(toElement)],
    // Their texts would stand beside each group: rows are read as a whole.
    statistics: false,
    createdBy: 'Stockbridge',
  })
  return {
    add(group: readonly Column[]): void {
      const columnData = group.map(({ name, values }) => ({
        name,
        data: values,
        offsetIndex: false,
      }))
      const rowGroupSize = group[0]?.values.length ?? 0
      void parquet.write({ columnData, rowGroupSize })
      // They say where pages are for those that have an index.
      parquet.pendingIndexes = []
    },
    end: () => void parquet.finish(),
    async flush(write: Write): Promise<void> {
      if (writer.index > 0) await write(writer.getBytes())
      writer.index = 0
    },
  }
}

/** Quantities that are computed are whole, whatever the supplier's file has. */
function toColumns(layout: Layout, scales: readonly Scale[]): Column[] {
  const names = toDistinctNames(layout)
  return layout.columns.map(({ source }, place) => ({
    name: names[place] ?? '',
    scale: source.kind === 'quantity' ? 0 : (scales[place] ?? null),
    values: [],
  }))
}

const toElement = ({ name, scale }: Column) => {
  if (scale === null) {
    return {
      name,
      type: 'BYTE_ARRAY',
      converted_type: 'UTF8',
      repetition_type: 'REQUIRED',
    } as const
  }
  const number = { name, type: 'INT64', repetition_type: 'OPTIONAL' } as const
  if (scale === 0) return number
  return { ...number, converted_type: 'DECIMAL', scale, precision: DECIMAL_DIGITS } as const
}

/** A number without its point: `1.5` with two decimals is 150. */
function toUnscaled(text: string, scale: number): bigint | null {
  if (text === '') return null
  const [whole = '', decimals = ''] = text.split('.')
  return BigInt(whole + decimals.padEnd(scale, '0'))
}

const tooManyColumns = () =>
  new FileError(
    'too-large',
    'The file has too many rows and columns for Parquet. Choose fewer columns, or read it as CSV.',
  )
