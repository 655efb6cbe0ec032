import { readConfig } from '../src/server/config'
import { describeDatabase } from '../src/server/db/database-place'
import { openDeps } from '../src/server/deps'
import { createLogger } from '../src/server/observability/logger'
import { prepareDatabase } from '../src/server/start/prepare-database'
import { runCommand } from './command-line'

const HELP = `Migrates the database to the newest schema. npm start does this automatically.

Usage: npm run migrate [-- --without-backup]

A backup is made and checked before, unless the database is empty. It is kept until the next update,
beside the daily ones. To go back, install the version before, stop all processes and restore it:
npm run restore -- BACKUP --replace

--without-backup   migrates without one, for example when the disk has no room: there is no way back

Reads DATABASE_URL and DATA_DIR.

Exit codes: 0 success, 1 failure, 2 invalid arguments.`

const OPTIONS = { 'without-backup': { type: 'boolean' } } as const

await runCommand(HELP, OPTIONS, async ({ values }) => {
  const config = readConfig()
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'error' }))
  try {
    const names = await prepareDatabase(deps, {
      report: (line) => console.log(line),
      isBackedUp: values['without-backup'] !== true,
    })
    const upToDate = `${describeDatabase(config)} is up to date`
    console.log(names.length > 0 ? `Ran ${names.join(', ')}` : upToDate)
    return 0
  } finally {
    await close()
  }
})
