import { backUpNow } from '../src/server/features/operations/backups/backup-now'
import { describeBackup } from '../src/server/storage/backup-place'
import { formatFileSize } from '../src/shared/format'
import { runCommand, withDeps } from './command-line'

const HELP = `Backs up the database and all inventory files, and verifies the backup.

Usage: npm run backup

The product can keep running. Backups are stored in DATA_DIR/backups, or in BACKUP_URL: the newest of each of the
last 7 days and 4 weeks are kept, and files they share are stored once. If they are in DATA_DIR, copy
them to another machine, or download them as administrator. Restore one with npm run restore.

Exit codes: 0 success, 1 failure or another backup is running.`

await runCommand(HELP, {}, () =>
  withDeps(async (deps) => {
    const { filename, size } = await backUpNow(deps, (step) => console.log(step))
    const name = filename.replace(/\.tar$/, '')
    console.log(
      `${describeBackup(deps.config, name)} is made and checked (${formatFileSize(size)})`,
    )
    return 0
  }),
)
