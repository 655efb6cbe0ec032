import type { ColumnNumbers } from '../../../shared/schemas/column-numbers'
import {
  AUTOMATIC_NUMBERS,
  createQuantityTally,
  findByColumn,
} from '../read/quantities/quantity-column'
import { displayName } from '../read/scan/display-cell'
import { listCells } from '../read/scan/scan'
import { scanCanonical } from '../read/table/scan-canonical'
import type { CellSource, OutputFormat } from './column-finder'
import { type Layout, layOut } from './layout'

/** The one column that quantities are read from; -1 when none are written. */
export function findStockPlace({ columns }: Layout): number {
  const isStock = ({ kind }: CellSource) => kind === 'quantity' || kind === 'availability'
  const source = columns.map((column) => column.source).find(isStock)
  return source && 'place' in source ? source.place : -1
}

/** How the numbers of a column are written; undefined if they have not been judged. */
export function findNumbers(
  names: readonly string[],
  place: number,
  { numbers }: Pick<OutputFormat, 'numbers'>,
): ColumnNumbers | undefined {
  return findByColumn(numbers ?? [], displayName(names[place] ?? ''))
}

/**
 * Judges the numbers of the column that quantities are read from, unless that was done when the file was
 * stored: another column was chosen since, or an older release has stored it. Reads the whole file then.
 * @throws FileError `missing-column` as `layOut`
 */
export async function judgeNumbers(
  read: () => AsyncIterable<Uint8Array>,
  format: OutputFormat,
  signal: AbortSignal,
): Promise<OutputFormat> {
  if (format.policy.decimalMark !== null) return format
  let tally: ReturnType<typeof createQuantityTally> | undefined
  for await (const batch of scanCanonical(read(), signal)) {
    for (let record = 0; record < batch.count; record++) {
      if (tally) tally.add(batch, record)
      else {
        const names = listCells(batch, record)
        const place = findStockPlace(layOut(names, format))
        if (place < 0 || findNumbers(names, place, format)) return format
        const shown = names.map(displayName)
        const column = shown[place] ?? ''
        tally = createQuantityTally(shown, { column, ...AUTOMATIC_NUMBERS })
      }
    }
  }
  return { ...format, numbers: [...(format.numbers ?? []), ...(tally?.numbers() ?? [])] }
}
