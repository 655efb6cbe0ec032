import { join } from 'node:path'

import { backUpNow } from '../src/server/features/backups/backup-now'
import { formatFileSize } from '../src/shared/format'
import { runCommand, withDeps } from './command-line'

const HELP = `Makes a backup of the database and all inventory files, and checks that it restores.

Usage: npm run backup

The product may run meanwhile. Backups are kept in DATA_DIR/backups, the newest of each of the
last 7 days and of the last 4 weeks; what they have in common is stored once. Copy them to
another machine, or download them as administrator. npm run restore puts one back.

Exit codes: 0 made, 1 not made, or another backup is being made.`

await runCommand(HELP, {}, () =>
  withDeps(async (deps) => {
    const { filename, size } = await backUpNow(deps, (step) => console.log(step))
    const folder = join(deps.config.backupsDir, filename.replace(/\.tar$/, ''))
    console.log(`${folder} is made and checked (${formatFileSize(size)})`)
    return 0
  }),
)
