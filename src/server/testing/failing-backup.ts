import { writeSync } from 'node:fs'

import { readConfig } from '../config'
import { openDeps } from '../deps'
import { createLogger } from '../observability/logger'
import { runBackup } from './stock'
import { watchOperations } from './watch-operations'

// A process of its own that makes a backup, and dies before its n-th operation that changes the disk:
// failing-backup DATA_DIR N. It prints the name of each operation before it is done.
const [dataDir, last] = process.argv.slice(2)
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const { deps, close } = await openDeps(config, createLogger(config))
let count = 0
await watchOperations((name) => {
  writeSync(1, `${name}\n`)
  return ++count === Number(last)
})
await runBackup(deps)
await close()
