import { readConfig } from '../../config'
import { requestRestore } from '../../features/operations/restores/restores'
import { findUser } from '../../features/people/accounts/users.queries'
import { runProduct } from '../../start/run-product'
import { watchOperations } from './watch-operations'

// A script that runs the product and restores the backup NAME into it, and kills itself before the n-th operation that
// changes the disk: failing-running-restore DATA_DIR N NAME. It prints the name of each operation before performing it.
const [dataDir, last, name = ''] = process.argv.slice(2)
const config = readConfig({
  DATA_DIR: dataDir,
  PORT: '0',
  // Its pages are not needed, and neither is its background work, which is done at any time.
  NODE_ENV: 'development',
  WORKER: 'off',
  LOG_LEVEL: 'silent',
  ADMIN_PASSWORD: 'admin-password',
  // That of the sample backups.
  ENCRYPTION_KEY: '07'.repeat(32),
})
let readyCount = 0
let onRestored = (): void => undefined
const isRestored = new Promise<void>((resolve) => (onRestored = resolve))
const product = await runProduct(config, {
  clientDir: '',
  showPassword: () => undefined,
  print: () => undefined,
  onReady() {
    readyCount += 1
    if (readyCount === 2) onRestored()
  },
  onGivesWay: () => process.exit(75),
  onFailure(error) {
    throw error
  },
})
const { deps } = product.server()
const { id } = await deps.db
  .selectFrom('users')
  .select('id')
  .where('role', '=', 'SUPER_ADMIN')
  .executeTakeFirstOrThrow()
await watchOperations(last)
const admin = (await findUser(deps.db, id))!
await requestRestore(deps, admin, { fileName: `${name}.tar`, typedName: name })
await isRestored
process.exit(0)
