import {
  EXAMPLE_MAX_LENGTH,
  MAX_EXAMPLES,
  type Difference,
  type DifferenceExample,
} from '../../../shared/schemas/difference'
import { findColumn } from '../read/category-column'
import { displayName } from '../read/display-cell'
import { type ComparedRow, type RowPlace, compareKeyFiles } from './compare-keys'
import { type StoredRows, openStoredRows } from './stored-rows'

/** A stored canonical file with its key file. */
export interface KeyedFile {
  /** Paths. */
  file: string
  keys: string
  keyColumn: string
  quantityColumn: string | null
}

/** Compares two files by their keys, and reads the first rows of each kind. */
export async function describeDifference(
  older: KeyedFile,
  newer: KeyedFile,
  signal: AbortSignal,
): Promise<Difference> {
  const { examples, ...counts } = await compareKeyFiles(older.keys, newer.keys, {
    examples: MAX_EXAMPLES,
    signal,
  })
  const before = await openSide(older)
  try {
    const after = await openSide(newer)
    try {
      const describe = (rows: ComparedRow[]) => describeRows(rows, before, after)
      return {
        ...counts,
        examples: {
          added: await describe(examples.added),
          removed: await describe(examples.removed),
          changed: await describe(examples.changed),
          newlyZero: await describe(examples.newlyZero),
        },
      }
    } finally {
      await after.close()
    }
  } finally {
    await before.close()
  }
}

interface Side {
  read(place: RowPlace): Promise<(string | null)[]>
  close: StoredRows['close']
}

/** Reads keys and quantities of a file. */
async function openSide({ file, keyColumn, quantityColumn }: KeyedFile): Promise<Side> {
  const rows = await openStoredRows(file)
  const names = (await rows.header(EXAMPLE_MAX_LENGTH * 4)).map(displayName)
  const columns = [
    findColumn(names, keyColumn),
    quantityColumn === null ? -1 : findColumn(names, quantityColumn),
  ]
  return {
    read: (place) => rows.cells(place, columns, EXAMPLE_MAX_LENGTH),
    close: rows.close,
  }
}

async function describeRows(
  rows: ComparedRow[],
  before: Side,
  after: Side,
): Promise<DifferenceExample[]> {
  const examples = []
  for (const { older, newer } of rows) {
    const [olderKey, olderQuantity] = older ? await before.read(older) : []
    const [newerKey, newerQuantity] = newer ? await after.read(newer) : []
    examples.push({
      key: (newerKey ?? olderKey ?? '').trim(),
      before: olderQuantity ?? null,
      after: newerQuantity ?? null,
    })
  }
  return examples
}
