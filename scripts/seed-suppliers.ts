import { readFile } from 'node:fs/promises'

import type { Deps } from '../src/server/domain/deps'
import { DomainError } from '../src/server/domain/errors'
import {
  seedSupplier,
  type SeedResult,
  type SupplierSeed,
} from '../src/server/features/suppliers/seeding'
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

Passwords are set on new accounts only. Each problem of an invalid line is reported with the line's
number, and the line is skipped. Suppliers that already match their line are reported as unchanged.

Exit codes: 0 all written, 1 some were not, 2 invalid arguments.`

await runCommand(HELP, { json: { type: 'boolean' } }, async ({ values, positionals }) => {
  const [file] = positionals
  if (!file) throw new UsageError('Specify the file to read')
  const entries = await readEntries(file, values.json === true || file.endsWith('.json'))
  const counts = await withDeps((deps) => seedAll(deps, entries))
  console.log(describeCounts(counts))
  return counts.failed > 0 ? 1 : 0
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

type Counts = Record<SeedResult | 'failed', number>

/** `2 created, 1 updated, 3 unchanged, 1 not written`. */
function describeCounts({ created, updated, unchanged, failed }: Counts): string {
  return `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} not written`
}

/** Writes the entries one by one, and reports each. */
async function seedAll(deps: Deps, entries: SeedEntry[]): Promise<Counts> {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  for (const entry of entries) {
    const outcome = 'problems' in entry ? entry : await seedOne(deps, entry.seed)
    if ('result' in outcome) {
      counts[outcome.result] += 1
      console.log(`${entry.place}: ${outcome.username} ${outcome.result}`)
    } else {
      counts.failed += 1
      for (const problem of outcome.problems) console.error(`${entry.place}: ${problem}`)
    }
  }
  return counts
}

async function seedOne(
  deps: Deps,
  seed: SupplierSeed,
): Promise<{ result: SeedResult; username: string } | { problems: string[] }> {
  try {
    return { result: await seedSupplier(deps, seed), username: seed.username }
  } catch (error) {
    if (error instanceof DomainError) return { problems: [error.message] }
    throw error
  }
}
