import { parse } from 'csv-parse/browser/esm/sync'

import { MAX_RETAILERS_AT_ONCE, SYNC_FREQUENCIES } from '../../../shared/constants'
import { formatOptionLabel } from '../../../shared/format'
import {
  listedNewRetailerSchema,
  type ListedNewRetailer,
} from '../../../shared/schemas/retailer-list'

/** The list as a whole cannot be read; the message is for the supplier. */
class RetailerListError extends Error {}

/** A retailer as it stands in the list, and the input for it or what is wrong with it. */
export interface ListLine {
  /** The line on which it ends, as an editor counts. */
  line: number
  cells: Partial<Record<Field, string>>
  retailer: ListedNewRetailer | null
  problems: string[]
}

type Field = 'storeName' | 'contactEmail' | 'username' | 'categories' | 'syncFrequency'

/** The header names of each field, as letters only; the first is that of the example. */
const HEADERS: Record<Field, readonly string[]> = {
  storeName: ['storename', 'name', 'store', 'shop', 'retailer'],
  contactEmail: ['email', 'emailaddress', 'contactemail', 'mail'],
  username: ['username', 'user', 'login'],
  categories: ['categories', 'category'],
  syncFrequency: ['syncfrequency', 'frequency'],
}
const FIELDS = Object.keys(HEADERS) as Field[]

const MAX_CHARACTERS = 200_000
const CATEGORY_SEPARATOR = '|'

/** Reads a list with a header line, as copied from a spreadsheet or a CSV file. */
export function readRetailerList(text: string): ListLine[] {
  if (text.length > MAX_CHARACTERS) throw new RetailerListError('This list is too long')
  const [header, ...rows] = parseRows(text)
  if (!header) throw new RetailerListError('Paste a list, or choose a file')
  const fields = header.cells.map(findField)
  if (!fields.includes('storeName') || !fields.includes('contactEmail')) {
    throw new RetailerListError(
      'The first line must name the columns: Store Name and Email, and if you like Username, Categories and Sync Frequency',
    )
  }
  if (rows.length === 0) throw new RetailerListError('There is no retailer below the first line')
  if (rows.length > MAX_RETAILERS_AT_ONCE) {
    throw new RetailerListError(
      `At most ${MAX_RETAILERS_AT_ONCE} retailers can be added at once; this list has ${rows.length}`,
    )
  }
  return rows.map(({ line, cells }) => readLine(line, fields, cells))
}

function findField(name: string): Field | undefined {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return FIELDS.find((field) => HEADERS[field].includes(letters))
}

interface Row {
  line: number
  cells: string[]
}

/** All rows that are not blank. */
function parseRows(text: string): Row[] {
  const options = {
    bom: true,
    delimiter: findDelimiter(text),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  } as const
  try {
    const records = parse(text, options) as unknown as {
      record: string[]
      info: { lines: number }
    }[]
    return records
      .map(({ record, info }) => ({ line: info.lines, cells: record }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''))
  } catch (error) {
    throw new RetailerListError(`The list cannot be read: ${(error as Error).message}`)
  }
}

/** The sign that splits the header into the most names; spreadsheets copy tabs. */
function findDelimiter(text: string): string {
  const header = text.trimStart().split(/[\r\n]/, 1)[0] ?? ''
  const counts = ['\t', ';', ','].map((sign) => ({ sign, count: header.split(sign).length }))
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).sign
}

function readLine(line: number, fields: (Field | undefined)[], row: string[]): ListLine {
  const cells: ListLine['cells'] = {}
  for (const [index, field] of fields.entries()) if (field) cells[field] ??= row[index] ?? ''
  const { success, data, error } = listedNewRetailerSchema.safeParse({
    storeName: cells.storeName,
    contactEmail: cells.contactEmail,
    username: cells.username || cells.contactEmail,
    categories: splitCategories(cells.categories),
    syncFrequency: readFrequency(cells.syncFrequency),
  })
  if (success)
    return { line, cells: { ...cells, username: data.username }, retailer: data, problems: [] }
  // Without a username of its own, complaints about the address would be repeated.
  const issues = error.issues.filter(({ path }) => path[0] !== 'username' || cells.username)
  const messages = new Set(
    (issues.length > 0 ? issues : error.issues).map((issue) => issue.message),
  )
  return { line, cells, retailer: null, problems: [...messages] }
}

const splitCategories = (cell = '') =>
  cell
    .split(CATEGORY_SEPARATOR)
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Minutes, or the name of an option such as `Daily`; undefined for an empty cell. */
function readFrequency(cell = ''): number | string | undefined {
  if (cell === '') return undefined
  if (/^\d+$/.test(cell)) return Number(cell)
  const names = Object.entries(SYNC_FREQUENCIES)
  const wanted = cell.toUpperCase()
  const found = names.find(([name]) => name === wanted || formatOptionLabel(name) === wanted)
  return found ? found[1] : cell
}
