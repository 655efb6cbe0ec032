import { JSON_NAME_MAX_LENGTH } from '../../../shared/shop-formats'
import { displayCell } from '../read/scan/display-cell'
import type { Layout } from './layout'
import type { Cells } from './row-target'

/** Turns rows into the text of a file. */
export interface RowText {
  /** What comes before the rows. */
  header: string
  row(cells: Cells): string
}

/** CSV after RFC 4180, with quotes only where a cell needs them. */
export function createCsvText(
  { columns, lineEnd, hasByteOrderMark }: Layout,
  delimiter: string,
): RowText {
  const special = [delimiter, '"', '\r', '\n']
  const quote = (cell: string | number): string => {
    if (typeof cell === 'number') return String(cell)
    return special.some((part) => cell.includes(part)) ? `"${cell.replaceAll('"', '""')}"` : cell
  }
  const row = (cells: Cells): string => {
    const line = cells.map(quote).join(delimiter)
    // Without quotes, a row of one empty cell would be a blank line.
    return (line === '' ? '""' : line) + lineEnd
  }
  const mark = hasByteOrderMark ? '\uFEFF' : ''
  return { header: mark + row(columns.map(({ header }) => header)), row }
}

/** One JSON object for each row, with the columns in their order; long names are cut, equal ones numbered. */
export function createJsonText({ columns }: Pick<Layout, 'columns'>): RowText {
  const keys = toDistinctNames({ columns }).map((name) => JSON.stringify(name))
  return {
    header: '',
    row: (cells) =>
      `{${cells.map((cell, place) => `${keys[place]}:${JSON.stringify(cell)}`).join(',')}}\n`,
  }
}

/** The names of columns where each has to have its own: long ones are cut, equal ones numbered. */
export const toDistinctNames = ({ columns }: Pick<Layout, 'columns'>): string[] =>
  numberEqual(columns.map(({ header }) => displayCell(header, JSON_NAME_MAX_LENGTH)))

/** Makes names distinct: the second `price` is `price_2`. */
function numberEqual(names: string[]): string[] {
  const taken = new Set<string>()
  const numbers = new Map<string, number>()
  return names.map((name) => {
    let number = numbers.get(name) ?? 1
    let distinct = name
    while (taken.has(distinct)) distinct = `${name}_${++number}`
    numbers.set(name, number)
    taken.add(distinct)
    return distinct
  })
}
