import { existsSync } from 'node:fs'

import { readConfig } from '../src/server/config'
import { describeMissingKeys } from '../src/server/features/operations/sealing/missing-keys'
import { restoreBackup } from '../src/server/restore/restore'
import { fromCaller, runCommand, UsageError, withDeps } from './command-line'

const HELP = `Restores the database and the inventory files from a backup.

Usage: npm run restore -- FILE [--replace] [--trust]

FILE is a downloaded backup (stockbridge-….tar), its folder in DATA_DIR/backups, or the name of a
backup in BACKUP_URL (stockbridge-…). Stop the product and its workers first.

The backup is unpacked and checked completely before any data changes. If there already is a
database, or files, --replace is required; it moves them to a folder replaced-… in DATA_DIR; rows in
PostgreSQL are copied there. If a
restore is interrupted, run the command again; until then the product does not start.

Backups are signed with the key of the installation, ENCRYPTION_KEY or DATA_DIR/encryption-key: copy
that key to a new machine first. A backup that was changed is rejected. Without the key, or for a
backup of an older version, --trust is required, which skips only the check of the signature. Use
it only if nobody else could have changed the backup: a changed backup can contain an attacker's
administrator account.

Backups contain no keys: DATA_DIR/secret and DATA_DIR/encryption-key stay as they are. Keys that are missing
for restored addresses and credentials are listed; ENCRYPTION_KEY_PREVIOUS may be one of them. All users must sign in again.
Second factors are restored, recovery codes are not: they may have been used since.

Exit codes: 0 success, 1 failure, 2 invalid arguments.`

const OPTIONS = { replace: { type: 'boolean' }, trust: { type: 'boolean' } } as const

await runCommand(HELP, OPTIONS, async ({ values, positionals }) => {
  const [file] = positionals
  if (!file) throw new UsageError('Specify the backup to restore')
  // It may also be the name of a backup in a bucket.
  const path = fromCaller(file)
  await restoreBackup(readConfig(), existsSync(path) ? path : file, {
    replace: values.replace === true,
    trust: values.trust === true,
    now: Date.now(),
    report: (line) => console.log(line),
  })
  for (const line of await withDeps(describeMissingKeys)) console.error(line)
  return 0
})
