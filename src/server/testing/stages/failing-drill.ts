import { DRILL_JOB } from '../../../shared/constants'
import { readConfig } from '../../config'
import { openDeps } from '../../deps'
import { claimCronJob } from '../../features/operations/cron-jobs/cron-claiming'
import { ensureCronJobs } from '../../features/operations/cron-jobs/cron-jobs'
import { runCronJob } from '../../features/operations/cron-jobs/cron-run'
import { createLogger } from '../../observability/logger'
import { watchOperations } from './watch-operations'

// A script that tests the newest backup and kills itself before the n-th operation that changes the disk:
// failing-drill DATA_DIR N. It prints the name of each operation before performing it.
const [dataDir, last] = process.argv.slice(2)
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const { deps, close } = await openDeps(config, createLogger(config))
await ensureCronJobs(deps)
await watchOperations(last)
const lease = await claimCronJob(deps, DRILL_JOB)
if (!lease) throw new Error('A drill is in progress')
await runCronJob(deps, lease, new AbortController().signal)
await close()
