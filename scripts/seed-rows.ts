import { CsvError, parse } from 'csv-parse/sync'

import { SeedFileError } from './seed-text'

const REQUIRED_COLUMNS = ['username', 'password', 'companyName', 'contactEmail'] as const
/** What a supplier has once; the lines of a supplier agree about it. */
export const SUPPLIER_COLUMNS = [
  ...REQUIRED_COLUMNS,
  'maxRetailers',
  'connectionUrl',
  'connectionName',
  'syncFrequency',
] as const
/** A retailer of the supplier. */
export const RETAILER_COLUMNS = [
  'retailerUsername',
  'retailerPassword',
  'retailerEmail',
  'storeName',
  'storeUrl',
] as const
const COLUMNS = [...SUPPLIER_COLUMNS, ...RETAILER_COLUMNS]
export type Column = (typeof COLUMNS)[number]

const DELIMITERS = [',', ';', '\t', '|']

/** A line of the file with the cells that are not empty, or what is wrong with the line. */
export type SeedRow = { line: number; cells: Map<Column, string>; problem?: string }

/**
 * Reads a table as spreadsheets save or copy it: any of four delimiters, column names in any case and with
 * spaces, and empty lines and columns at its end.
 * @throws SeedFileError for a table without its columns, or with others
 */
export function readSeedRows(text: string): SeedRow[] {
  // Spreadsheets name the delimiter in a line before the header.
  const [, named] = /^sep=(.)\s*(?:\r\n|\r|\n)/i.exec(text) ?? []
  const table = named === undefined ? text : text.replace(/^.*/, '')
  const [header, ...rows] = parseRows(table, named ?? findDelimiter(table))
  if (!header) throw new SeedFileError('The file is empty')
  if (rows.length === 0) throw new SeedFileError('There is no supplier below the header')
  const columns = readHeader(header.cells)
  return rows.map(({ line, cells }) => readRow(line, cells, columns))
}

function readRow(line: number, cells: string[], columns: (Column | undefined)[]): SeedRow {
  const found = new Map<Column, string>()
  for (const [index, cell] of cells.entries()) {
    const column = columns[index]
    if (cell === '') continue
    if (!column) return { line, cells: found, problem: `"${cell}" is in a column without a name` }
    found.set(column, cell)
  }
  return { line, cells: found }
}

/** The column of each name; undefined for an empty name. */
function readHeader(names: string[]): (Column | undefined)[] {
  const columns = names.map(findColumn)
  const unknown = names.filter((name, index) => name !== '' && !columns[index])
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name))
  if (missing.length > 0) throw new SeedFileError(`The header lacks ${missing.join(', ')}`)
  if (unknown.length > 0) {
    const known = COLUMNS.join(', ')
    throw new SeedFileError(
      `The header has unknown columns: ${unknown.join(', ')}. Known: ${known}`,
    )
  }
  const twice = columns.find((name, index) => name && columns.indexOf(name) !== index)
  if (twice) throw new SeedFileError(`The header names ${twice} twice`)
  return columns
}

const toLetters = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')
const findColumn = (name: string) =>
  COLUMNS.find((column) => column.toLowerCase() === toLetters(name))

/** The delimiter that splits the header into the most known names, and else into the most parts. */
function findDelimiter(text: string): string {
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1)
  const splits = DELIMITERS.map((delimiter) => {
    const names = header.split(delimiter).map((name) => name.replaceAll('"', ''))
    return { delimiter, known: names.filter(findColumn).length, parts: names.length }
  })
  const [best] = splits.toSorted((one, other) => other.known - one.known || other.parts - one.parts)
  return best?.delimiter ?? ','
}

/** `line` is the line on which the row begins, as an editor counts. */
type CsvRow = { line: number; cells: string[] }

/** All rows except blank lines and rows whose cells are all empty. */
function parseRows(text: string, delimiter: string): CsvRow[] {
  const bytes = Buffer.from(text)
  let line = 1
  let offset = 0
  const rows = parseRecords(text, delimiter).map(({ record, info }) => {
    // Not the parser's own count, which counts CR LF in quotes twice and gives a row's last line.
    const source = bytes.subarray(offset, info.bytes).toString()
    const [blankLines = ''] = /^(?:[^\S\r\n]*(?:\r\n|\r|\n))*/.exec(source) ?? []
    const row = { line: line + countLineEnds(blankLines), cells: record.map((cell) => cell.trim()) }
    line += countLineEnds(source)
    offset = info.bytes
    return row
  })
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
}

const countLineEnds = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0

function parseRecords(text: string, delimiter: string) {
  const options = {
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  } as const
  try {
    return parse(text, options) as unknown as { record: string[]; info: { bytes: number } }[]
  } catch (error) {
    if (error instanceof CsvError) throw new SeedFileError(error.message)
    throw error
  }
}
