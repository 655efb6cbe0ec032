import { readConfig } from '../../config'
import { restoreBackup } from '../../restore/restore'
import { watchOperations } from './watch-operations'

// A script that restores FILE over existing data and kills itself before the n-th operation that
// changes the disk: failing-restore DATA_DIR N FILE. It prints the name of each operation before
// performing it.
const [dataDir, last, file = ''] = process.argv.slice(2)
await watchOperations(last)
const options = { replace: true, trust: true, now: Date.now(), report: () => undefined }
await restoreBackup(readConfig({ DATA_DIR: dataDir }), file, options)
