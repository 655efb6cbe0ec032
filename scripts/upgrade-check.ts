import { readConfig, type Config } from '../src/server/config'
import { describeDatabase } from '../src/server/db/database-place'
import { NewerDatabaseError } from '../src/server/db/newer-database'
import { openDeps } from '../src/server/deps'
import { DomainError } from '../src/server/domain/errors'
import { createLogger } from '../src/server/observability/logger'
import {
  checkUpgrade,
  checkUpgradeOfCopy,
  type UpgradeCheck,
} from '../src/server/start/upgrade-check'
import { formatCountOf, formatFileSize } from '../src/shared/format'
import { runCommand, UsageError } from './command-line'

const HELP = `Runs the migrations of this version on a copy of the data, and says how long each takes and what room they need.

Usage: npm run upgrade:check [-- --copy ADDRESS]

For the version that is to be installed, from a folder of its own, with the settings of the running one. The
database is only read, and can be in use. SQLite is copied into DATA_DIR, and the copy removed afterwards.

For PostgreSQL, make the copy first and name it: it is migrated, and can be dropped afterwards.
  createdb copy_of_stockbridge
  pg_dump postgres://…/stockbridge | psql postgres://…/copy_of_stockbridge
  npm run upgrade:check -- --copy postgres://…/copy_of_stockbridge

Exit codes: 0 the migrations ran, or there are none to run; 1 one failed, or there is no room; 2 invalid arguments.`

const OPTIONS = { copy: { type: 'string' } } as const

await runCommand(HELP, OPTIONS, async ({ values: { copy } }) => {
  const config = readConfig()
  const opened = typeof copy === 'string' ? ofCopy(config, copy) : requireSqlite(config)
  const { deps, close } = await openDeps(opened, createLogger({ logLevel: 'error' }))
  try {
    const check =
      opened === config
        ? await checkUpgrade(deps, Date.now(), new AbortController().signal)
        : await checkUpgradeOfCopy(deps, config)
    for (const line of describe(check, config.productVersion)) console.log(line)
    return 0
  } catch (error) {
    if (!(error instanceof NewerDatabaseError)) throw error
    const text = `The database was migrated by a newer version (${error.newest}) than this one, ${config.productVersion}`
    throw new DomainError('CONFLICT', text, { cause: error })
  } finally {
    await close()
  }
})

function ofCopy(config: Config, copy: string): Config {
  if (/^postgres(?:ql)?:\/\/./.test(copy) && URL.canParse(copy)) {
    return { ...config, postgresUrl: copy }
  }
  throw new UsageError('--copy is the postgres:// address of a copy')
}

function requireSqlite(config: Config): Config {
  if (!config.postgresUrl) return config
  throw new UsageError(
    `The data are in ${describeDatabase(config)}: copy them, and name the copy with --copy`,
  )
}

function describe(check: UpgradeCheck, version: string): string[] {
  const { migrations, before, after, most, freeBytes } = check
  const unchanged = 'The database itself was not changed.'
  if (migrations.length === 0) {
    return [`Version ${version} has no migrations that this database does not have. ${unchanged}`]
  }
  const width = Math.max(...migrations.map(({ name }) => name.length))
  const total = migrations.reduce((sum, { tookMs }) => sum + tookMs, 0)
  const count = formatCountOf(migrations.length, 'migration')
  const sizes = [before, after, most].map((bytes) => formatFileSize(bytes))
  const free = freeBytes === null ? '' : `; ${formatFileSize(freeBytes)} are free`
  return [
    ...migrations.map(({ name, tookMs }) => `${name.padEnd(width)}  ${toSeconds(tookMs)}`),
    `Version ${version} runs ${count} in ${toSeconds(total)} on this machine, besides the backup before them.`,
    `The copy had ${sizes[0]}, has ${sizes[1]} now, and took up to ${sizes[2]} meanwhile${free}.`,
    unchanged,
  ]
}

const toSeconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`
