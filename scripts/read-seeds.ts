import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'

import { supplierSeedSchema, type SupplierSeed } from '../src/server/domain/seeding'

/** A supplier as the file gives it: where it stands, and either what it says or what is wrong with it. */
export type SeedEntry = { place: string } & ({ seed: SupplierSeed } | { problem: string })

/** The whole file cannot be read. */
export class SeedFileError extends Error {}

/** Reads `[{ username, password, companyName, contactEmail, maxRetailers?, connection?, retailers? }]`. */
export function readJsonSeeds(text: string): SeedEntry[] {
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch (error) {
    throw new SeedFileError(`This is not valid JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(entries)) throw new SeedFileError('The file must hold a list of suppliers')
  return entries.map((entry: unknown, index) => toEntry(`entry ${index + 1}`, entry))
}

/**
 * Reads one supplier a line, by the header's column names. A line may bring one retailer; further
 * lines of the same supplier bring more.
 */
export function readCsvSeeds(text: string): SeedEntry[] {
  return parseRows(text).map(({ record, info }) =>
    toEntry(`line ${info.lines}`, toSupplier(record)),
  )
}

type CsvRow = { record: Record<string, string>; info: { lines: number } }

function parseRows(text: string): CsvRow[] {
  try {
    const options = {
      bom: true,
      columns: true,
      info: true,
      skip_empty_lines: true,
      trim: true,
    } as const
    return parse(text, options) as unknown as CsvRow[]
  } catch (error) {
    if (error instanceof CsvError) throw new SeedFileError(error.message)
    throw error
  }
}

function toSupplier(row: Record<string, string>) {
  const { connectionUrl, connectionName, syncFrequency, retailerUsername } = row
  return {
    username: row.username,
    password: row.password,
    companyName: row.companyName,
    contactEmail: row.contactEmail,
    maxRetailers: toNumber(row.maxRetailers),
    connection: connectionUrl
      ? {
          url: connectionUrl,
          name: connectionName || undefined,
          syncFrequency: toNumber(syncFrequency),
        }
      : undefined,
    retailers: retailerUsername
      ? [
          {
            username: retailerUsername,
            password: row.retailerPassword,
            contactEmail: row.retailerEmail || undefined,
            storeName: row.storeName,
            storeUrl: row.storeUrl || undefined,
          },
        ]
      : [],
  }
}

/** An empty cell means the default; one that is no number is left for the schema to refuse. */
function toNumber(text: string | undefined): number | string | undefined {
  if (!text) return undefined
  return /^\d+$/.test(text) ? Number(text) : text
}

function toEntry(place: string, value: unknown): SeedEntry {
  const parsed = supplierSeedSchema.safeParse(value)
  if (parsed.success) return { place, seed: parsed.data }
  return {
    place,
    problem: z
      .prettifyError(parsed.error)
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll('✖ ', ''),
  }
}
