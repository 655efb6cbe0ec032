import type { DecimalMark, NumberStyle } from '../../../shared/schemas/column-numbers'
import { withoutCurrency } from '../read/quantities/currency'
import { createNumberEvidence } from '../read/quantities/number-style'
import { parseQuantity, readDigits, toQuantity } from '../read/quantities/quantity'
import { cellCount, cellStart, type RecordBatch } from '../read/scan/scan'

const MAX_CHARACTERS = 60
const POINT = 0x2e
const ZERO = 0x30
const MAX_PLAIN = 12
const DECIMALS_BEHIND = [1, 10, 100] as const

/** Reads the prices of a column, and finds out how they are written meanwhile. */
export interface PriceReader {
  /** NaN for no price. */
  read(batch: RecordBatch, record: number): number
  /** How prices such as `1.234` are to be read, as what has been read shows; null when nothing is known. */
  judge(): NumberStyle | null
  /** Whether any price that has been read depends on it. */
  isOpen(): boolean
}

/**
 * @param style how prices such as `1.234` are taken
 * @param remembered what earlier files showed; null if nothing did
 */
export function createPriceReader(
  column: number,
  { style, remembered }: { style: NumberStyle; remembered: DecimalMark | null },
): PriceReader {
  const evidence = createNumberEvidence()
  let hasPlain = false
  return {
    read(batch, record) {
      if (column < 0) return Number.NaN
      const digits = readDigits(batch, record, column)
      if (digits !== undefined) return digits
      const plain = readPlain(batch, record, column)
      if (plain !== undefined) {
        if (!hasPlain) evidence.add('0.5', PLAIN)
        hasPlain = true
        return plain
      }
      const cell = withoutCurrency(cellStart(batch, record, column, MAX_CHARACTERS))
      const written = parseQuantity(cell)
      if (!written) return Number.NaN
      evidence.add(cell, written)
      return toQuantity(written, style)
    },
    judge: () => evidence.judge(remembered),
    isOpen: () => evidence.open() !== undefined,
  }
}

const PLAIN = {
  whole: '0',
  fraction: '5',
  isNegative: false,
  isBelow: false,
  open: null,
  proof: 'point',
} as const

/** Reads prices such as `12.5` and `12.50`, as nearly all are, without decoding them; undefined for others. */
function readPlain(batch: RecordBatch, record: number, column: number): number | undefined {
  if (column >= cellCount(batch, record)) return undefined
  const cell = (batch.firstCells[record] as number) + column
  const start = batch.cellStarts[cell] as number
  const end = batch.cellEnds[cell] as number
  if (end - start > MAX_PLAIN || end - start < 3) return undefined
  let number = 0
  let point = -1
  for (let at = start; at < end; at++) {
    const byte = batch.bytes[at] as number
    if (byte === POINT && point < 0 && at > start) {
      point = at
      continue
    }
    const digit = byte - ZERO
    if (digit < 0 || digit > 9) return undefined
    number = 10 * number + digit
  }
  const divisor = point < 0 ? undefined : DECIMALS_BEHIND[end - point - 1]
  return divisor === undefined || divisor === 1 ? undefined : number / divisor
}
