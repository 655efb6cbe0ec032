import { readFile } from 'node:fs/promises'

import type { Deps } from '../src/server/domain/deps'
import { DomainError } from '../src/server/domain/errors'
import { seedSupplier, type SupplierSeed } from '../src/server/features/suppliers/seeding'
import { runCommand, UsageError, withDeps } from './command-line'
import { readCsvSeeds, readJsonSeeds, SeedFileError, type SeedEntry } from './read-seeds'

const HELP = `Creates or updates suppliers from a file. Running it again with the same file changes nothing.

Usage: npm run seed:suppliers -- FILE [--json]

CSV columns  username, password, companyName, contactEmail
  optional   maxRetailers, connectionUrl, connectionName, syncFrequency (minutes),
             retailerUsername, retailerPassword, retailerEmail, storeName, storeUrl
             (further lines of the same supplier add retailers)
JSON         [{ "username": …, "password": …, "companyName": …, "contactEmail": …,
                "maxRetailers": 10,
                "connection": { "url": …, "name": …, "syncFrequency": 1440 },
                "retailers": [{ "username": …, "password": …, "storeName": … }] }]
             used with --json, or for a FILE that ends in .json

Passwords are set on new accounts only. An invalid line is reported with its number and skipped.

Exit codes: 0 all written, 1 some were not, 2 invalid arguments.`

await runCommand(HELP, { json: { type: 'boolean' } }, async ({ values, positionals }) => {
  const [file] = positionals
  if (!file) throw new UsageError('Specify the file to read')
  const entries = await readEntries(file, values.json === true || file.endsWith('.json'))
  const failures = await withDeps((deps) => seedAll(deps, entries))
  console.log(`${entries.length - failures} written, ${failures} not written`)
  return failures > 0 ? 1 : 0
})

async function readEntries(file: string, isJson: boolean): Promise<SeedEntry[]> {
  try {
    const text = await readFile(file, 'utf8')
    return isJson ? readJsonSeeds(text) : readCsvSeeds(text)
  } catch (error) {
    if (error instanceof SeedFileError) throw new UsageError(`${file}: ${error.message}`)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UsageError(`${file} does not exist`)
    throw error
  }
}

/** Writes the entries one by one and returns the number of failures. */
async function seedAll(deps: Deps, entries: SeedEntry[]): Promise<number> {
  let failures = 0
  for (const entry of entries) {
    const problem = 'problem' in entry ? entry.problem : await seedOne(deps, entry)
    if (problem) {
      failures += 1
      console.error(`${entry.place}: ${problem}`)
    }
  }
  return failures
}

async function seedOne(deps: Deps, { place, seed }: SeedEntry & { seed: SupplierSeed }) {
  try {
    const result = await seedSupplier(deps, seed)
    console.log(`${place}: ${seed.username} ${result}`)
    return undefined
  } catch (error) {
    if (error instanceof DomainError) return error.message
    throw error
  }
}
