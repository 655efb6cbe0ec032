import { listCells, cellText } from '../../read/scan/scan'
import { scanCanonical } from '../../read/table/scan-canonical'
import type { OutputFormat } from '../column-finder'
import { layOut } from '../layout'
import { findNumberColumns } from '../number-columns'
import { isPlainNumber, type NumberReading } from '../workbook/plain-number'
import { DECIMAL_DIGITS, type Scale } from './scale'

/**
 * Finds the columns of quantities and prices in which every cell that is not empty is plainly a number that a
 * 64-bit decimal holds: the type of a column in Parquet stands for all of its rows. Reads the whole file, also rows
 * that are not written, so that all retailers have the same types.
 * @throws FileError `missing-column` as `layOut`
 */
export async function judgeScales(
  read: () => AsyncIterable<Uint8Array>,
  format: OutputFormat,
  signal: AbortSignal,
): Promise<OutputFormat> {
  if (format.form !== 'parquet') return format
  let tallies: (ReturnType<typeof createTally> | undefined)[] | undefined
  for await (const batch of scanCanonical(read(), signal)) {
    for (let record = 0; record < batch.count; record++) {
      if (!tallies) {
        const names = listCells(batch, record)
        const layout = layOut(names, format)
        const readings = findNumberColumns(names, layout, format)
        tallies = layout.columns.map(({ source }, column) => {
          const reading = readings[column]
          return reading && 'place' in source ? createTally(source.place, reading) : undefined
        })
        if (!tallies.some(Boolean)) return format
        continue
      }
      for (const tally of tallies) tally?.add((place) => cellText(batch, record, place))
    }
  }
  return { ...format, scales: tallies?.map((tally) => tally?.scale() ?? null) ?? [] }
}

function createTally(place: number, reading: NumberReading) {
  let isExact = true
  let hasNumber = false
  let whole = 0
  let decimals = 0
  return {
    add(cellAt: (place: number) => string): void {
      if (!isExact) return
      const cell = cellAt(place)
      if (cell === '') return
      hasNumber = true
      const [before = '', after = ''] = cell.split('.')
      whole = Math.max(whole, before.replace('-', '').length)
      decimals = Math.max(decimals, after.length)
      isExact = isPlainNumber(cell, reading) && whole + decimals <= DECIMAL_DIGITS
    },
    scale: (): Scale => (isExact && hasNumber ? decimals : null),
  }
}
