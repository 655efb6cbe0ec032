import { readConfig } from '../src/server/config'
import { describeMissingKeys } from '../src/server/features/connections/source-config'
import { restoreBackup } from '../src/server/restore/restore'
import { runCommand, UsageError, withDeps } from './command-line'

const HELP = `Puts a backup in the place of the database and the inventory files.

Usage: npm run restore -- FILE [--replace] [--trust]

FILE is a backup that was downloaded (stockbridge-….tar), or the folder of one in
DATA_DIR/backups. Stop the product and its workers first.

Everything in the backup is unpacked and checked before anything is touched. Where there is a
database already, or files, nothing is done without --replace, which puts them aside first, in
a folder replaced-… of its own. A restore that was interrupted is completed by running the
command again; until then the product does not start.

A backup is signed by the installation that made it, with ENCRYPTION_KEY or the key in
DATA_DIR/encryption-key: have that key here first, also on a new machine. One that was changed since
is refused. Where the key is not here, or an older version made the backup, nothing is done without
--trust, which takes the backup on your word: use it when nobody else could have changed it, since
whoever can makes themselves administrator. Everything else is checked as ever.

Secrets are in no backup: DATA_DIR/secret and DATA_DIR/encryption-key stay as they are. A key that
the restored credentials of sources need is named. Everybody has to sign in again.

Exit codes: 0 restored, 1 not restored, 2 wrong use.`

const OPTIONS = { replace: { type: 'boolean' }, trust: { type: 'boolean' } } as const

await runCommand(HELP, OPTIONS, async ({ values, positionals }) => {
  const [file] = positionals
  if (!file) throw new UsageError('Name the backup to restore')
  await restoreBackup(readConfig(), file, {
    replace: values.replace === true,
    trust: values.trust === true,
    now: Date.now(),
    report: (line) => console.log(line),
  })
  for (const line of await withDeps(describeMissingKeys)) console.error(line)
  return 0
})
