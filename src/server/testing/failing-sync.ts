import { writeSync } from 'node:fs'

import { allJobs } from '../all-jobs'
import { readConfig } from '../config'
import { openDeps } from '../deps'
import { claimDueWork } from '../features/scheduling/claim-due-work'
import { cleanStorage } from '../features/stored-files/storage-cleaning'
import { createFeedFetcher } from '../feed/fetch/fetch'
import { createLogger } from '../observability/logger'
import { createInlineReader } from './reader-inline'
import { watchOperations } from './watch-operations'

// A process of its own that does all work that is due and what follows from it, and dies before its
// n-th operation that changes the disk: failing-sync DATA_DIR N HOST. It prints the name of each
// operation before it is done.
const [dataDir, last, fetchAllow] = process.argv.slice(2)
const config = readConfig({
  DATA_DIR: dataDir,
  FETCH_ALLOW: fetchAllow,
  LOG_LEVEL: 'warn',
  // Room for one version: whatever nobody reads any more is removed as soon as it may be.
  MAX_STORAGE_PER_SUPPLIER: '1',
  MIN_FREE_BYTES: '0',
})
const { deps, close } = await openDeps(config, createLogger(config))
// What is written to scratch files counts as well, so it has to be written here.
deps.feeds = createInlineReader(
  createFeedFetcher({ allow: config.fetchAllow, maxBytes: config.maxFileBytes, now: Date.now }),
)
let count = 0
await watchOperations((name) => {
  writeSync(1, `${name}\n`)
  return ++count === Number(last)
})
deps.queue.start(allJobs.map((job) => job.toHandler(deps)))
await claimDueWork(deps)
await deps.queue.idle()
await cleanStorage(deps, new AbortController().signal)
await close()
