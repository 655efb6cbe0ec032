import { withPlainLineEnds } from './foreign-files'

/** The table of a file: tools/foreign-tables/records/truth.py. */
export interface TrueTable {
  columns: {
    /** What its name may be, the best first; an asterisk at its beginning stands for any text. */
    names: string[]
    /** May be left out, such as the type of an element. */
    isOptional?: boolean
  }[]
  /** A text, texts of which each is right, or null where anything is. */
  rows: TrueCell[][]
}
type TrueCell = string | string[] | null

/**
 * How a table that was read differs from the true one, if it does. Columns are found by their names, in any order;
 * those without a cell do not count.
 */
export function findFirstWrong(
  [header = [], ...rows]: string[][],
  table: TrueTable,
): string | null {
  const places = findColumns(header, table.columns)
  const wrongColumn = findWrongColumn(header, rows, table, places)
  if (wrongColumn !== null) return wrongColumn
  if (rows.length !== table.rows.length) return `${rows.length} rows for ${table.rows.length}`
  for (const [line, expected] of table.rows.entries()) {
    for (const [column, place] of places.entries()) {
      const [cell = '', truth = ''] = [rows[line]?.[place ?? -1], expected[column]]
      if (place !== null && !isSameCell(cell, truth)) {
        const name = JSON.stringify(header[place])
        return `row ${line + 1}, ${name}: ${shorten(cell)} for ${shorten(truth)}`
      }
    }
  }
  return null
}

/** Where each column of the truth is; the best names are found first, each place once. */
function findColumns(header: string[], columns: TrueTable['columns']): (number | null)[] {
  const places = columns.map((): number | null => null)
  const taken = new Set<number>()
  const ranks = Math.max(0, ...columns.map(({ names }) => names.length))
  for (let rank = 0; rank < ranks; rank++) {
    for (const [column, { names }] of columns.entries()) {
      const name = names[rank]
      if (places[column] !== null || name === undefined) continue
      const place = header.findIndex((found, at) => !taken.has(at) && isNamed(found, name))
      if (place < 0) continue
      places[column] = place
      taken.add(place)
    }
  }
  return places
}

function isNamed(found: string, name: string): boolean {
  if (name.startsWith('*')) return found.endsWith(name.slice(1))
  return found.trim() === name.trim()
}

function findWrongColumn(
  header: string[],
  rows: string[][],
  table: TrueTable,
  places: (number | null)[],
): string | null {
  for (const [column, { names, isOptional }] of table.columns.entries()) {
    const hasCells = table.rows.some((row) => !isSameCell('', row[column] ?? null))
    if (places[column] === null && isOptional !== true && hasCells) {
      return `no column ${shorten(names[0] ?? '')} in ${shorten(header)}`
    }
  }
  const isUnknown = (_: string, at: number) =>
    !places.includes(at) && rows.some((row) => (row[at] ?? '') !== '')
  const unknown = header.find(isUnknown)
  return unknown === undefined ? null : `a column ${shorten(unknown)} that is none`
}

function isSameCell(cell: string, truth: TrueCell): boolean {
  if (truth === null) return true
  const texts = Array.isArray(truth) ? truth : [truth]
  return texts.some((text) => normalize(text) === normalize(cell))
}

/** Lists and objects within a cell may be written with other white space, and with characters by their number. */
function normalize(cell: string): string {
  if (!/^[[{]/.test(cell)) return withPlainLineEnds(cell)
  return cell.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => {
    try {
      return part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : ''
    } catch {
      return part
    }
  })
}

const shorten = (value: unknown) => JSON.stringify(value).slice(0, 200)
