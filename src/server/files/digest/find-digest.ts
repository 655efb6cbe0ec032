import { DIGEST_KINDS, type DigestKind, MAX_DIGEST_EXAMPLES } from '../../../shared/digests'
import type { DecimalMark } from '../../../shared/schemas/column-numbers'
import type { StockText } from '../../../shared/schemas/column-policy'
import type { DigestChanges, DigestExample } from '../../../shared/schemas/digest'
import { readCell, type RowCells } from '../comparison/cell-pairs'
import type { ColumnPair } from '../comparison/column-pairs'
import { type ColumnNaming, type ComparedColumns, isInBoth } from '../comparison/compared-columns'
import { openChanges } from '../comparison/open-changes'
import { readKey } from '../comparison/row-changes'
import type { KeyedFile } from '../keys/compare-files'
import { isItemName } from '../read/item-names'
import { displayCell } from '../read/scan/display-cell'
import { createStockReader } from '../shop-formats/stock-reader'
import { judgeStyle, readPrice } from './column-style'

const TEXT_CHARACTERS = 100
const AS_IT_IS = { buffer: 0, cutOff: 0, cap: null }

/** A canonical file, or the part of one that somebody may see, with its keys. */
export type DigestFile = KeyedFile & { read: () => AsyncIterable<Uint8Array> }

export interface DigestOptions {
  keyColumn: string
  naming: ColumnNaming
  stockTexts: readonly StockText[]
  /** What separates decimals in the quantity column; null: what the files show. */
  decimalMark: DecimalMark | null
  /** From how many percent on a change of a price counts; null: none does. */
  pricePercent: number | null
  signal: AbortSignal
}

/** Counts what a digest tells of two files. Reads both once for their numbers, and the rows that differ. */
export async function findDigest(
  files: { older: DigestFile; newer: DigestFile },
  options: DigestOptions,
): Promise<DigestChanges> {
  const { signal, keyColumn, naming } = options
  const { columns, readBatches, find } = await openChanges(files, {
    keyColumn,
    naming,
    filter: { q: '' },
    signal,
  })
  const findKinds = await createKindFinder(files, columns, options)
  const nameColumn = columns.others.find(({ name }) => isItemName(name))
  const counts: DigestChanges['counts'] = { added: 0, removed: 0, back: 0, out: 0, price: 0 }
  const examples: Record<DigestKind, DigestExample[]> = {
    added: [],
    removed: [],
    back: [],
    out: [],
    price: [],
  }
  for await (const { rows } of readBatches()) {
    for (const row of rows) {
      const { cells, change } = find(row)
      if (!change) continue
      for (const { kind, column } of findKinds(cells)) {
        counts[kind]++
        if (examples[kind].length === MAX_DIGEST_EXAMPLES) continue
        examples[kind].push({ kind, ...describe(cells, { columns, nameColumn, column }) })
      }
    }
  }
  return { counts, examples: DIGEST_KINDS.flatMap((kind) => examples[kind]) }
}

type Found = { kind: DigestKind; column?: ColumnPair }

async function createKindFinder(
  files: { older: DigestFile; newer: DigestFile },
  { others }: ComparedColumns,
  { stockTexts, decimalMark, pricePercent, signal }: DigestOptions,
): Promise<(cells: RowCells) => Found[]> {
  const columnOf = (kind: 'quantity' | 'price') =>
    others.find((column) => column.kind === kind && isInBoth(column))
  const styleOf = (column: ColumnPair) =>
    judgeStyle(
      [
        { read: files.older.read, place: column.older },
        { read: files.newer.read, place: column.newer },
      ],
      signal,
    )
  const quantity = columnOf('quantity')
  const readStock =
    quantity && createStockReader(AS_IT_IS, stockTexts, decimalMark ?? (await styleOf(quantity)))
  const price = pricePercent === null ? undefined : columnOf('price')
  const priceStyle = price && (await styleOf(price))
  return (cells) => {
    if (!cells.older || !cells.newer) return [{ kind: cells.newer ? 'added' : 'removed' }]
    const found: Found[] = []
    if (quantity && readStock) {
      const before = readStock(readCell(cells.older, quantity.older))
      const after = readStock(readCell(cells.newer, quantity.newer))
      const isKnown = !before.isUnknown && !after.isUnknown
      if (isKnown && before.quantity > 0 !== after.quantity > 0) {
        found.push({ kind: after.quantity > 0 ? 'back' : 'out', column: quantity })
      }
    }
    if (price && priceStyle && pricePercent !== null) {
      const before = readPrice(readCell(cells.older, price.older), priceStyle)
      const after = readPrice(readCell(cells.newer, price.newer), priceStyle)
      if (hasMoved(before, after, pricePercent)) found.push({ kind: 'price', column: price })
    }
    return found
  }
}

/** Prices are no binary fractions: 10 % of 1.10 are 0.11. */
const ROUNDING = 1e-9

function hasMoved(before: number | null, after: number | null, percent: number): boolean {
  if (before === null || after === null || before <= 0 || after < 0 || before === after)
    return false
  return (Math.abs(after - before) / before) * 100 >= percent - ROUNDING * percent
}

function describe(
  cells: RowCells,
  {
    columns,
    nameColumn,
    column,
  }: {
    columns: ComparedColumns
    nameColumn: ColumnPair | undefined
    column: ColumnPair | undefined
  },
): Omit<DigestExample, 'kind'> {
  const { older, newer } = cells
  const cut = (text: string) => displayCell(text, TEXT_CHARACTERS)
  const name =
    nameColumn && cut(newer ? readCell(newer, nameColumn.newer) : readCell(older, nameColumn.older))
  return {
    key: cut(readKey(cells, columns)),
    name: name || null,
    before: column ? cut(readCell(older, column.older)) : null,
    after: column ? cut(readCell(newer, column.newer)) : null,
  }
}
