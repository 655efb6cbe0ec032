import { backUpNow } from '../src/server/features/operations/backups/backup-now'
import { describeBackup } from '../src/server/storage/backup-place'
import { formatFileSize } from '../src/shared/format'
import { fromCaller, runCommand, withDeps } from './command-line'
import { fetchBackup } from './fetch-backup'
import { openInstallation } from './installation'

const HELP = `Backs up the database and all inventory files, and verifies the backup.

Usage: npm run backup
       npm run backup -- --url ADDRESS [--to FOLDER]

The product can keep running. Backups are stored in DATA_DIR/backups, or in BACKUP_URL: the newest of each of the
last 7 days and 4 weeks are kept, and files they share are stored once. If they are in DATA_DIR, copy
them to another machine, or download them as administrator. Restore one with npm run restore.

With --url a running installation makes it, such as --url https://stockbridge.example.com, and it is downloaded here,
into FOLDER or the working directory. STOCKBRIDGE_KEY has the API key of an administrator, with the scopes backup
and read.

Exit codes: 0 success, 1 failure or another backup is running, 2 invalid arguments.`

const OPTIONS = { url: { type: 'string' }, to: { type: 'string' } } as const

await runCommand(HELP, OPTIONS, async ({ values: { url, to = '.' } }) => {
  if (typeof url === 'string') {
    const installation = openInstallation(url, process.env.STOCKBRIDGE_KEY)
    const { path, size } = await fetchBackup(installation, fromCaller(String(to)), console.log)
    console.log(`${path} is downloaded (${formatFileSize(size)})`)
    return 0
  }
  return withDeps(async (deps) => {
    const { filename, size } = await backUpNow(deps, (step) => console.log(step))
    const name = filename.replace(/\.tar$/, '')
    console.log(
      `${describeBackup(deps.config, name)} is made and checked (${formatFileSize(size)})`,
    )
    return 0
  })
})
