import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'

import { supplierSeedSchema, type SupplierSeed } from '../src/server/features/suppliers/seeding'
import { formatCountOf } from '../src/shared/format'

/** A supplier in a seed file: its place (`line 4`, `entry 2`), and its data or what is wrong with it. */
export type SeedEntry = { place: string } & ({ seed: SupplierSeed } | { problems: string[] })

/** The file as a whole is invalid. */
export class SeedFileError extends Error {}

/** Reads `[{ username, password, companyName, contactEmail, maxRetailers?, connection?, retailers? }]`. */
export function readJsonSeeds(text: string): SeedEntry[] {
  let entries: unknown
  try {
    entries = JSON.parse(withoutByteOrderMark(text))
  } catch (error) {
    throw new SeedFileError(`This is not valid JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(entries)) throw new SeedFileError('The file must hold a list of suppliers')
  return entries.map((entry: unknown, index) => toEntry(`entry ${index + 1}`, entry))
}

const REQUIRED_COLUMNS = ['username', 'password', 'companyName', 'contactEmail']

/**
 * Reads one supplier per row, by the header's column names. A row can include one retailer; further
 * rows of the same supplier add more.
 */
export function readCsvSeeds(text: string): SeedEntry[] {
  const [header, ...rows] = parseRows(withoutByteOrderMark(text))
  if (!header) return []
  const names = header.cells
  const missing = REQUIRED_COLUMNS.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new SeedFileError(`The header lacks ${missing.join(', ')}`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new SeedFileError(`The header names ${twice} twice`)
  return rows.map(({ line, cells }) => {
    const place = `line ${line}`
    if (cells.length !== names.length) {
      const count = formatCountOf(cells.length, 'cell')
      return { place, problems: [`${count} under a header of ${names.length}`] }
    }
    return toEntry(place, toSupplier(new Map(names.map((name, index) => [name, cells[index]]))))
  })
}

const withoutByteOrderMark = (text: string) => text.replace(/^\uFEFF/, '')

/** `line` is the line on which the row begins, as an editor counts. */
type CsvRow = { line: number; cells: string[] }

/** All rows except blank lines and rows whose cells are all empty. */
function parseRows(text: string): CsvRow[] {
  const bytes = Buffer.from(text)
  let line = 1
  let offset = 0
  const rows = parseRecords(text).map(({ record, info }) => {
    // Not the parser's own count, which counts CR LF in quotes twice and gives a row's last line.
    const source = bytes.subarray(offset, info.bytes).toString()
    const [blankLines = ''] = /^(?:[^\S\r\n]*(?:\r\n|\r|\n))*/.exec(source) ?? []
    const row = { line: line + countLineEnds(blankLines), cells: record }
    line += countLineEnds(source)
    offset = info.bytes
    return row
  })
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
}

const countLineEnds = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0

function parseRecords(text: string) {
  const options = {
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

/** Empty cells count as absent. A connection or retailer exists if any of its cells is given. */
function toSupplier(row: Map<string, string | undefined>) {
  const cell = (name: string) => row.get(name) || undefined
  const connection = {
    url: cell('connectionUrl'),
    name: cell('connectionName'),
    syncFrequency: toNumber(cell('syncFrequency')),
  }
  const retailer = {
    username: cell('retailerUsername'),
    password: cell('retailerPassword'),
    contactEmail: cell('retailerEmail'),
    storeName: cell('storeName'),
    storeUrl: cell('storeUrl'),
  }
  return {
    username: cell('username'),
    password: cell('password'),
    companyName: cell('companyName'),
    contactEmail: cell('contactEmail'),
    maxRetailers: toNumber(cell('maxRetailers')),
    connection: isGiven(connection) ? connection : undefined,
    retailers: isGiven(retailer) ? [retailer] : [],
  }
}

const isGiven = (part: object) => Object.values(part).some((value) => value !== undefined)

/** undefined for an empty cell; text that is not a number is left for the schema to reject. */
function toNumber(text: string | undefined): number | string | undefined {
  if (!text) return undefined
  return /^\d+$/.test(text) ? Number(text) : text
}

function toEntry(place: string, value: unknown): SeedEntry {
  const parsed = supplierSeedSchema.safeParse(value)
  if (parsed.success) return { place, seed: parsed.data }
  return { place, problems: parsed.error.issues.map(describeIssue) }
}

/** `Store name is required (retailers[0].storeName)`. */
function describeIssue({ message, path }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${message} (${z.core.toDotPath(path)})`
}
