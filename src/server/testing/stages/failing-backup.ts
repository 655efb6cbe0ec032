import { readConfig } from '../../config'
import { openDeps } from '../../deps'
import { createLogger } from '../../observability/logger'
import { runBackup } from '../fixtures/stock'
import { watchOperations } from './watch-operations'

// A script that makes a backup and kills itself before the n-th operation that changes the disk:
// failing-backup DATA_DIR N. It prints the name of each operation before performing it.
const [dataDir, last] = process.argv.slice(2)
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const { deps, close } = await openDeps(config, createLogger(config))
await watchOperations(last)
await runBackup(deps)
await close()
