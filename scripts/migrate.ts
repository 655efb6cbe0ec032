import { readConfig } from '../src/server/config'
import { describeDatabase } from '../src/server/db/database-place'
import { migrateToLatest } from '../src/server/db/migrate'
import { openDeps } from '../src/server/deps'
import { createLogger } from '../src/server/observability/logger'
import { runCommand } from './command-line'

const HELP = `Migrates the database to the newest schema. npm start does this automatically.

Usage: npm run migrate

Reads DATABASE_URL and DATA_DIR.`

await runCommand(HELP, {}, async () => {
  const config = readConfig()
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'error' }))
  try {
    const names = await migrateToLatest(deps.db)
    const upToDate = `${describeDatabase(config)} is up to date`
    console.log(names.length > 0 ? `Ran ${names.join(', ')}` : upToDate)
    return 0
  } finally {
    await close()
  }
})
