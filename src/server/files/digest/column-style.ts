import type { NumberStyle } from '../../../shared/schemas/column-numbers'
import { withoutCurrency } from '../read/quantities/currency'
import { createNumberEvidence } from '../read/quantities/number-style'
import { parseQuantity, readDigits, toQuantity } from '../read/quantities/quantity'
import { cellStart } from '../read/scan/scan'
import { scanCanonical } from '../read/table/scan-canonical'

const MAX_CHARACTERS = 60

/** A column of a file. */
export interface StyledColumn {
  read: () => AsyncIterable<Uint8Array>
  place: number
}

/**
 * Judges how the numbers of a column are written in both of two files, which are then read alike: `1,234` must not be
 * 1234 in one and 1.234 in the other.
 */
export async function judgeStyle(
  files: readonly StyledColumn[],
  signal: AbortSignal,
): Promise<NumberStyle> {
  const evidence = createNumberEvidence()
  for (const { read, place } of files) {
    let isHeader = true
    for await (const batch of scanCanonical(read(), signal)) {
      for (let record = isHeader ? 1 : 0; record < batch.count; record++) {
        if (readDigits(batch, record, place) !== undefined) continue
        const cell = withoutCurrency(cellStart(batch, record, place, MAX_CHARACTERS))
        const written = parseQuantity(cell)
        if (written) evidence.add(cell, written)
      }
      if (batch.count > 0) isHeader = false
    }
  }
  return evidence.judge(null) ?? 'decimals'
}

/** Reads a price such as `1.234,50`, `€ 12.50` or `12 EUR`; null for other text. */
export function readPrice(cell: string, style: NumberStyle): number | null {
  const written = parseQuantity(withoutCurrency(cell))
  return written ? toQuantity(written, style) : null
}
