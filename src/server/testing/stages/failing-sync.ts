import { allJobs } from '../../all-jobs'
import { readConfig } from '../../config'
import { openDeps } from '../../deps'
import { cleanStorage } from '../../features/distribution/stored-files/storage-cleaning'
import { claimDueWork } from '../../features/operations/scheduling/claim-due-work'
import { createLogger } from '../../observability/logger'
import { openInlineReader } from './reader-inline'
import { watchOperations } from './watch-operations'

// A script that runs all due jobs and their follow-up jobs, and kills itself before the n-th
// operation that changes the disk: failing-sync DATA_DIR N HOST. It prints the name of each
// operation before performing it.
const [dataDir, last, fetchAllow] = process.argv.slice(2)
const config = readConfig({
  DATA_DIR: dataDir,
  FETCH_ALLOW: fetchAllow,
  LOG_LEVEL: 'warn',
  // Room for one version and its history, so that files are removed as soon as possible.
  MAX_STORAGE_PER_SUPPLIER: '110000',
  MIN_FREE_BYTES: '0',
})
const { deps, close } = await openDeps(config, createLogger(config))
// Reads files in this process, so that writes to scratch files are watched too.
deps.readers = openInlineReader(config, Date.now)
await watchOperations(last)
deps.queue.start(allJobs.map((job) => job.toHandler(deps)))
await claimDueWork(deps)
await deps.queue.idle()
await cleanStorage(deps, new AbortController().signal)
await close()
