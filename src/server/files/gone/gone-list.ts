import type { CategorySeparators } from '../../../shared/categories'
import { DAY_MS } from '../../../shared/durations'
import { GONE_DAYS, MAX_GONE_ITEMS } from '../../../shared/gone-items'
import { categoryReadingSchema } from '../../../shared/schemas/file'
import { createByteOutput } from '../byte-output'
import { type RecordBatch, cellText } from '../read/scan/scan'
import { createCsvText } from '../shop-formats/row-text'

/** An item that has left a file, or its categories, with the cells that its row had. */
export interface GoneItem {
  key: string
  category: string
  /** How its category was read; null: as the categories of the file that the list belongs to. */
  separators: CategorySeparators | null
  barcode: string
  /** When a file without it was published, in Unix milliseconds. */
  leftAt: number
}

/** What a list has at most, however long its texts are. */
const MAX_BYTES = 16 * 1024 * 1024
const GONE_MS = GONE_DAYS * DAY_MS

const NAMES = ['key', 'category', 'barcode', 'left_at', 'separators']
/** Where the keys are in a list. */
export const GONE_KEY_PLACE = 0

/** Writes a list of gone items: a canonical file, the items that left last first. */
export interface GoneList {
  add(item: GoneItem): void
  /** Must be called after the items of each batch. */
  flush(): Promise<void>
  count(): number
  /** Items for which there was no room. */
  dropped(): number
}

export interface GoneLimits {
  items: number
  bytes: number
}

export function createGoneList(
  write: (chunk: Uint8Array) => Promise<void>,
  limits: GoneLimits = { items: MAX_GONE_ITEMS, bytes: MAX_BYTES },
): GoneList {
  const columns = NAMES.map((header) => ({ header, source: { kind: 'text', text: '' } as const }))
  const format = { lineEnd: '\n', hasByteOrderMark: false, columns, keyPlace: -1 } as const
  const text = createCsvText(format, ',')
  const output = createByteOutput()
  output.addText(text.header)
  let count = 0
  let dropped = 0
  return {
    add({ key, category, separators, barcode, leftAt }) {
      const row = text.row([key, category, barcode, leftAt, writeSeparators(separators)])
      const hasRoom =
        count < limits.items && output.total() + Buffer.byteLength(row) <= limits.bytes
      if (hasRoom) output.addText(row)
      count += hasRoom ? 1 : 0
      dropped += hasRoom ? 0 : 1
    },
    flush: () => output.flush(write),
    count: () => count,
    dropped: () => dropped,
  }
}

export function readGoneItem(batch: RecordBatch, record: number): GoneItem {
  const [key = '', category = '', barcode = '', leftAt = '', separators = ''] = NAMES.map(
    (_, place) => cellText(batch, record, place),
  )
  const item = { key, category, barcode, leftAt: Number(leftAt) }
  // Lists that were written before separators were have none.
  return { ...item, separators: SEPARATORS.get(separators) ?? null }
}

const NO_SEPARATOR = '-'

/** `>-`: the separator of levels, then that of several categories. */
function writeSeparators(separators: CategorySeparators | null): string {
  if (!separators) return ''
  const { pathSeparator, listSeparator } = separators
  return (pathSeparator ?? NO_SEPARATOR) + (listSeparator ?? NO_SEPARATOR)
}

const SHAPE = categoryReadingSchema.shape
const SEPARATORS = new Map(
  [...SHAPE.pathSeparator.unwrap().options, null].flatMap((path) =>
    [...SHAPE.listSeparator.unwrap().options, null].map((list) => {
      const separators: CategorySeparators = { pathSeparator: path, listSeparator: list }
      return [writeSeparators(separators), separators] as const
    }),
  ),
)

/** Whether files have had an item at quantity 0 for long enough. */
export const isExpired = ({ leftAt }: GoneItem, now: number) => now - leftAt >= GONE_MS
