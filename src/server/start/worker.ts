import '../process/without-debugger.mjs'
import { loadDotEnv, readConfig } from '../config'
import { openDeps } from '../deps'
import { ensureCronJobs } from '../features/operations/cron-jobs/cron-jobs'
import { startWorking } from '../features/operations/scheduling/scheduler'
import { startBeating } from '../features/operations/system/processes'
import { checkWorking } from '../http/health'
import { openInbox } from '../inbox/inbox-process'
import { createLogger } from '../observability/logger'
import { awaitRestore } from './await-restore'
import { describeInbox } from './describe-inbox'
import { exitForRestore } from './exit-for-restore'
import { warnOfMissingWalls } from './missing-walls'
import { warnOfOpenDebugger } from './open-debugger'
import { startOperatorServer } from './operator-server'
import { describeOwnProcess } from './own-process'
import { prepareDatabase } from './prepare-database'
import { watchRestores } from './restore-watch'
import { closeOnSignal } from './shutdown'
import { reportStartFailure } from './start-failure'
import { startTelemetry } from './telemetry'
import { warnOfUnusedProxies } from './unused-proxies'
import { requireUsableBuckets } from './usable-buckets'

// npm run worker: runs background jobs in a separate process; several can run at once. Workers
// share the database and the files with the web process; Redis, if configured, distributes jobs.
try {
  loadDotEnv()
  const config = readConfig()
  const logger = createLogger(config)
  warnOfOpenDebugger(logger)
  warnOfMissingWalls(logger)
  warnOfUnusedProxies(logger, config)
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  await awaitRestore(config, print)
  const { deps, close } = await openDeps(config, logger)
  await requireUsableBuckets(config)
  await prepareDatabase(deps, { report: print })
  await ensureCronJobs(deps)
  const stopTelemetry = await startTelemetry(deps)
  let isStopping = false
  const inbox = config.hasInlineInbox ? openInbox(deps) : undefined
  const operator = await startOperatorServer(deps, {
    port: config.workerPort,
    variable: 'WORKER_PORT',
    async check() {
      if (isStopping) throw new Error('The worker is stopping')
      await checkWorking(deps)
      return { inbox: inbox?.state() }
    },
  })
  const stopBeating = startBeating(deps, describeOwnProcess('worker'))
  const stopWorking = startWorking(deps)
  const end = async () => {
    isStopping = true
    await stopWatching()
    await Promise.all([stopWorking(), inbox?.close()])
    await operator.close()
    await stopBeating()
    await stopTelemetry()
    await close()
  }
  const stopWatching = watchRestores(deps, { onStop: () => exitForRestore(logger, end) })
  closeOnSignal(logger, end)
  print(
    `The worker is ready, its health at ${operator.url}/readyz, its metrics at ${operator.url}/metrics`,
  )
  if (inbox) describeInbox(config, inbox.state()).forEach(print)
} catch (error) {
  reportStartFailure(error)
}
