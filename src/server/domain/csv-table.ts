import { toSpreadsheetCell } from '../../shared/spreadsheet-cell'

export type CsvColumns<Row> = Record<string, (row: Row) => string | number | boolean | null>

/** Writes rows as CSV for spreadsheets: texts that they would run begin with an apostrophe. */
export function toCsvTable<Row>(columns: CsvColumns<Row>) {
  const toLine = (cells: string[]) => `${cells.map(toSpreadsheetCell).join(',')}\r\n`
  return {
    header: toLine(Object.keys(columns)),
    toLine: (row: Row) => toLine(Object.values(columns).map((read) => String(read(row) ?? ''))),
  }
}

export type CsvTable<Row> = ReturnType<typeof toCsvTable<Row>>
