import { readFile } from 'node:fs/promises'

import type { Deps } from '../src/server/domain/deps'
import {
  seedSuppliers,
  SeedsRefusedError,
  type SeedResult,
} from '../src/server/features/operations/suppliers/seeding'
import { codeOf } from '../src/server/process/error-code'
import { formatCountOf } from '../src/shared/format'
import { runCommand, UsageError, withDeps } from './command-line'
import { readCsvSeeds, readJsonSeeds, type SeedFile } from './read-seeds'
import { decodeSeedFile, SeedFileError } from './seed-text'

const HELP = `Creates or updates suppliers from a file. Running it again with the same file changes nothing.

Usage: npm run seed:suppliers -- FILE [--json]

CSV columns  username, password, companyName, contactEmail
  optional   maxRetailers, connectionUrl, connectionName, syncFrequency (minutes),
             retailerUsername, retailerPassword, retailerEmail, storeName, storeUrl
             (further lines of the same supplier add retailers, and need only its username)
JSON         [{ "username": …, "password": …, "companyName": …, "contactEmail": …,
                "maxRetailers": 10,
                "connection": { "url": …, "name": …, "syncFrequency": 1440,
                  "updates": { "fullName": "full-*", "removal": { "column": …, "value": … } } },
                "retailers": [{ "username": …, "password": …, "storeName": … }] }]
             used with --json, or for a FILE that ends in .json

The file is UTF-8, or UTF-16 as spreadsheets save it; its cells are separated by commas, semicolons,
tabs or bars. Column names may have capitals and spaces; unknown ones are refused.

Everything is written, or nothing: all problems are reported with their lines, among them lines that
contradict each other. Passwords are set on new accounts only. Suppliers that already match are reported
as unchanged.

Exit codes: 0 all written, 1 nothing was written, 2 invalid arguments or a file that cannot be read.`

await runCommand(HELP, { json: { type: 'boolean' } }, async ({ values, positionals }) => {
  const [path] = positionals
  if (!path) throw new UsageError('Specify the file to read')
  const file = await readSeedFile(path, values.json === true || path.endsWith('.json'))
  const problems =
    file.problems.length > 0 ? file.problems : await withDeps((deps) => write(deps, file.seeds))
  for (const { place, text } of problems) console.error(`${place}: ${text}`)
  if (problems.length === 0) return 0
  console.error(`Nothing was written because of ${formatCountOf(problems.length, 'problem')}`)
  return 1
})

async function readSeedFile(path: string, isJson: boolean): Promise<SeedFile> {
  try {
    const text = decodeSeedFile(await readFile(path))
    return isJson ? readJsonSeeds(text) : readCsvSeeds(text)
  } catch (error) {
    if (error instanceof SeedFileError) throw new UsageError(`${path}: ${error.message}`)
    const code = codeOf(error)
    if (code === 'ENOENT') throw new UsageError(`${path} does not exist`)
    if (code) throw new UsageError(`${path} cannot be read (${code})`)
    throw error
  }
}

/** Writes all suppliers and reports each; returns the problems because of which none was written. */
async function write(deps: Deps, seeds: SeedFile['seeds']): Promise<SeedFile['problems']> {
  const placeOf = (index: number) => seeds[index]?.place ?? ''
  try {
    const results = await seedSuppliers(
      deps,
      seeds.map(({ seed }) => seed),
    )
    for (const [index, result] of results.entries()) {
      console.log(`${placeOf(index)}: ${seeds[index]?.seed.username} ${result}`)
    }
    console.log(describeResults(results))
    return []
  } catch (error) {
    if (!(error instanceof SeedsRefusedError)) throw error
    return [...error.problems].map(([index, { message }]) => ({
      place: placeOf(index),
      text: message,
    }))
  }
}

/** `2 created, 1 updated, 3 unchanged`. */
function describeResults(results: SeedResult[]): string {
  const count = (wanted: SeedResult) => results.filter((result) => result === wanted).length
  return `${count('created')} created, ${count('updated')} updated, ${count('unchanged')} unchanged`
}
