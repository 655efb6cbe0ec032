import { z } from 'zod'

import { usernameKey } from '../src/server/features/people/accounts/accounts'
import { supplierSeedSchema, type SupplierSeed } from '../src/shared/schemas/supplier-seed'
import { mergeSeedRows } from './merge-seed-rows'
import { readSeedRows } from './seed-rows'
import { SeedFileError } from './seed-text'

/** The suppliers of a file, or problems with it, each with its place: `line 4` or `entry 2`. */
export type SeedFile = {
  seeds: { place: string; seed: SupplierSeed }[]
  problems: { place: string; text: string }[]
}

/**
 * Reads a table with a header. A line names a supplier, and may name one of its retailers; further lines of
 * the supplier name more, and need not repeat what was said.
 * @throws SeedFileError
 */
export function readCsvSeeds(text: string): SeedFile {
  const { seeds, problems } = mergeSeedRows(readSeedRows(text))
  const toPlace = (line: number) => `line ${line}`
  return {
    seeds: seeds.map(({ line, seed }) => ({ place: toPlace(line), seed })),
    problems: problems.map(({ line, text: problem }) => ({ place: toPlace(line), text: problem })),
  }
}

/**
 * Reads `[{ username, password, companyName, contactEmail, maxRetailers?, connection?, retailers? }]`.
 * @throws SeedFileError
 */
export function readJsonSeeds(text: string): SeedFile {
  const entries = parseList(text)
  const file: SeedFile = { seeds: [], problems: [] }
  const places = new Map<string, string>()
  for (const [index, entry] of entries.entries()) {
    const place = `entry ${index + 1}`
    const parsed = supplierSeedSchema.safeParse(entry)
    if (!parsed.success) {
      const problems = parsed.error.issues.map((issue) => ({ place, text: describeIssue(issue) }))
      file.problems.push(...problems)
      continue
    }
    for (const { username } of [parsed.data, ...parsed.data.retailers]) {
      const first = places.get(usernameKey(username))
      if (first) file.problems.push({ place, text: `${username} is named in ${first} already` })
      else places.set(usernameKey(username), place)
    }
    file.seeds.push({ place, seed: parsed.data })
  }
  return file
}

function parseList(text: string): unknown[] {
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch (error) {
    throw new SeedFileError(`This is not valid JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(entries)) throw new SeedFileError('The file must hold a list of suppliers')
  if (entries.length === 0) throw new SeedFileError('There is no supplier in the list')
  return entries
}

/** `Store name is required (retailers[0].storeName)`. */
function describeIssue({ message, path }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${message} (${z.core.toDotPath(path)})`
}
