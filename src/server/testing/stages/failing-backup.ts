import { readConfig } from '../../config'
import { openDeps } from '../../deps'
import { createLogger } from '../../observability/logger'
import { makeListedBackup, runBackup } from '../fixtures/stock'
import { watchOperations } from './watch-operations'

// A script that makes a backup and kills itself before the n-th operation that changes the disk:
// failing-backup DATA_DIR N [lists]. It prints the name of each operation before performing it. With `lists` the backup
// has lists of its files.
const [dataDir, last, form] = process.argv.slice(2)
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const { deps, close } = await openDeps(config, createLogger(config))
await watchOperations(last)
await (form === 'lists' ? makeListedBackup(deps) : runBackup(deps))
await close()
