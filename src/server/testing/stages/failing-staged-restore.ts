import { pino } from 'pino'

import { readConfig } from '../../config'
import { recordRestored } from '../../restore/record-restored'
import { stageWhileServing } from '../../restore/staged-restore'
import { watchOperations } from './watch-operations'

// A script that restores FILE over existing data as is begun in the browser, and kills itself before the n-th operation
// that changes the disk: failing-staged-restore DATA_DIR N FILE. It prints the name of each operation before performing it.
const [dataDir, last, file = ''] = process.argv.slice(2)
await watchOperations(last)
const config = readConfig({ DATA_DIR: dataDir })
const deps = { clock: { now: () => Date.now() }, logger: pino({ level: 'silent' }) }
const staged = await stageWhileServing(config, file, {
  isTrusted: true,
  now: Date.now(),
  report: () => undefined,
  record: (path, backup) =>
    recordRestored(path, deps, { token: 't', backup, by: null, address: null }),
})
await staged.complete(() => undefined)
