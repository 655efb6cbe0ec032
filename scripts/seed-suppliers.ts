import { readFile } from 'node:fs/promises'

import { seedSuppliers } from '../src/server/features/operations/suppliers/seeding'
import { codeOf } from '../src/server/process/error-code'
import { formatCountOf } from '../src/shared/format'
import type { SeededSuppliers, SeedResult } from '../src/shared/schemas/supplier-seed'
import { fromCaller, runCommand, UsageError, withDeps } from './command-line'
import { openInstallation } from './installation'
import { readCsvSeeds, readJsonSeeds, type SeedFile } from './read-seeds'
import { decodeSeedFile, SeedFileError } from './seed-text'
import { sendSeeds } from './send-seeds'

const HELP = `Creates or updates suppliers from a file. Running it again with the same file changes nothing.

Usage: npm run seed:suppliers -- FILE [--json] [--url ADDRESS]

CSV columns  username, password, companyName, contactEmail
  optional   maxRetailers, connectionUrl, connectionName, syncFrequency (minutes),
             retailerUsername, retailerPassword, retailerEmail, storeName, storeUrl
             (further lines of the same supplier add retailers, and need only its username)
JSON         [{ "username": …, "password": …, "companyName": …, "contactEmail": …,
                "maxRetailers": 10,
                "connection": { "url": …, "name": …, "syncFrequency": 1440,
                  "auth": { "type": "s3", "accessKeyId": …, "secretAccessKey": …, "region": … },
                  "transfer": { "hostKeys": ["ssh-ed25519 SHA256:…"] },
                  "updates": { "fullName": "full-*", "removal": { "column": …, "value": … } } },
                "retailers": [{ "username": …, "password": …, "storeName": … }] }]
             used with --json, or for a FILE that ends in .json

The file is UTF-8, or UTF-16 as spreadsheets save it; its cells are separated by commas, semicolons,
tabs or bars. Column names may have capitals and spaces; unknown ones are refused.

Everything is written, or nothing: all problems are reported with their lines, among them lines that
contradict each other. Passwords are set on new accounts only. Suppliers that already match are reported
as unchanged.

With --url it writes to a running installation, such as --url https://stockbridge.example.com, instead of to
the database here. STOCKBRIDGE_KEY has the API key of an administrator, with the scope write. More than 200
suppliers and retailers are sent in parts, each of which is written whole or not at all.

Exit codes: 0 all written, 1 nothing was written, 2 invalid arguments or a file that cannot be read.`

const OPTIONS = { json: { type: 'boolean' }, url: { type: 'string' } } as const

await runCommand(HELP, OPTIONS, async ({ values, positionals }) => {
  const [path] = positionals
  if (!path) throw new UsageError('Specify the file to read')
  const { seeds, problems } = await readSeedFile(
    fromCaller(path),
    values.json === true || path.endsWith('.json'),
  )
  if (problems.length > 0) return refuse(problems)
  const suppliers = seeds.map(({ seed }) => seed)
  const written =
    typeof values.url === 'string'
      ? await sendSeeds(openInstallation(values.url, process.env.STOCKBRIDGE_KEY), suppliers)
      : await withDeps((deps) => seedSuppliers(deps, suppliers))
  return report(seeds, written)
})

function report(seeds: SeedFile['seeds'], { results, problems }: SeededSuppliers): number {
  for (const [index, result] of results.entries()) {
    console.log(`${seeds[index]?.place}: ${seeds[index]?.seed.username} ${result}`)
  }
  if (results.length > 0) console.log(describeResults(results))
  if (problems.length === 0) return 0
  const placed = problems.map(({ place, message }) => ({
    place: seeds[place]?.place ?? '',
    text: message,
  }))
  return refuse(placed, results.length > 0 ? 'Nothing else' : 'Nothing')
}

function refuse(problems: SeedFile['problems'], what = 'Nothing'): number {
  for (const { place, text } of problems) console.error(`${place}: ${text}`)
  console.error(`${what} was written because of ${formatCountOf(problems.length, 'problem')}`)
  return 1
}

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

/** `2 created, 1 updated, 3 unchanged`. */
function describeResults(results: SeedResult[]): string {
  const count = (wanted: SeedResult) => results.filter((result) => result === wanted).length
  return `${count('created')} created, ${count('updated')} updated, ${count('unchanged')} unchanged`
}
