import { comparableCell, type CategorySeparators } from '../../../shared/categories'
import type { CategoryReading } from '../../../shared/schemas/file'
import { createKeyReader, type CellBytes, type KeyReader } from '../keys/key-cell'
import type { KeyDraft } from '../keys/key-file'
import { keyOutput, type KeyOutputOptions } from '../keys/key-output'
import { RECORD_BYTES } from '../keys/key-records'
import type { ReadAt } from '../keys/record-reader'
import { findColumn } from '../read/categories/category-column'
import { createFillDown, type FillDown } from '../read/categories/fill-down'
import { GONE_KEY_PLACE, readGoneItem } from './gone-list'

/** A key file. */
export interface SortedKeys {
  readAt: ReadAt
  bytes: number
}

/** Rows of a canonical file. */
export type Rows = { read: () => AsyncIterable<Uint8Array> }

/** Sorts rows by what they are known by, into scratch files; null for a file without keys or with too many rows. */
export interface ItemSorter {
  /** The items of a list by their keys. */
  listByKey(list: Rows): Promise<SortedKeys | null>
  /** Rows by their keys and categories together: an item in other categories is another one. */
  fileByCategory(file: Rows, columns: ItemColumns): Promise<SortedKeys | null>
  /** Likewise the items of a list; `reading` is for those that do not say how their categories are read. */
  listByCategory(list: Rows, reading: CategorySeparators | null): Promise<SortedKeys | null>
  /** Discards all scratch files. */
  close(): Promise<void>
}

interface ItemColumns {
  keyColumn: string
  categoryReading: CategoryReading | null
}

export function createItemSorter({
  openDraft,
  signal,
}: {
  openDraft: () => Promise<KeyDraft>
  signal: AbortSignal
}): ItemSorter {
  const drafts: KeyDraft[] = []
  const sort = async (
    rows: Rows,
    by: Pick<KeyOutputOptions<KeyDraft>, 'keyPlace' | 'createReader'>,
  ): Promise<SortedKeys | null> => {
    const sorted = await keyOutput(rows.read(), {
      delimiter: ',',
      ...by,
      async openDraft() {
        const draft = await openDraft()
        drafts.push(draft)
        return draft
      },
      signal,
    })
    return sorted && { readAt: sorted.keys.readAt, bytes: sorted.keyCount * RECORD_BYTES }
  }
  return {
    listByKey: (list) => sort(list, { keyPlace: GONE_KEY_PLACE }),
    fileByCategory: (file, { keyColumn, categoryReading }) =>
      sort(file, {
        keyPlace: (names) => findColumn(names, keyColumn),
        createReader: (names) =>
          createItemReader(findColumn(names, keyColumn), readCategories(names, categoryReading)),
      }),
    listByCategory(list, reading) {
      const comparable = createComparable()
      const read: FillDown = (batch, record) => {
        const { category, separators } = readGoneItem(batch, record)
        return comparable(category, separators ?? reading)
      }
      return sort(list, {
        keyPlace: GONE_KEY_PLACE,
        createReader: () => createItemReader(GONE_KEY_PLACE, read),
      })
    },
    close: async () => void (await Promise.all(drafts.map((draft) => draft.discard()))),
  }
}

function readCategories(names: string[], reading: CategoryReading | null): FillDown {
  if (!reading) return () => ''
  const categoryOf = createFillDown(names, findColumn(names, reading.column))
  const comparable = createComparable()
  return (batch, record) => comparable(categoryOf(batch, record), reading)
}

/** Reads what a row is known by: its key, and its categories in their comparable form. */
function createItemReader(keyPlace: number, readComparable: FillDown): KeyReader {
  const readKey = createKeyReader(keyPlace)
  const found: CellBytes = { bytes: Buffer.alloc(FIRST_BYTES), start: 0, end: 0 }
  return (batch, record) => {
    // Read of each row, because one without a category may have that of a row before it.
    const categories = readComparable(batch, record)
    const { bytes, start, end } = readKey(batch, record)
    const length = end - start
    const room = length + 1 + MAX_UTF8_BYTES * categories.length
    if (found.bytes.length < room) found.bytes = Buffer.alloc(2 * room)
    bytes.copy(found.bytes, 0, start, end)
    found.bytes[length] = 0
    found.end = length === 0 ? 0 : length + 1 + found.bytes.write(categories, length + 1)
    return found
  }
}

/** Of one UTF-16 code unit. */
const MAX_UTF8_BYTES = 3
const FIRST_BYTES = 1_024

/** Remembers the comparable forms of cells, which files repeat. */
function createComparable() {
  const known = new Map<string, string>()
  return (cell: string, reading: CategorySeparators | null): string => {
    if (cell === '' || !reading) return ''
    const name = `${reading.pathSeparator}${reading.listSeparator}${cell}`
    const found = known.get(name) ?? comparableCell(cell, reading)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(name, found)
    return found
  }
}

/** Cells have at most 4,000 characters. */
const MAX_KNOWN = 2_000
