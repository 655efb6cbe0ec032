import type { Config } from '../config'
import { openDeps } from '../deps'
import type { Deps } from '../domain/deps'
import { ensureCronJobs } from '../features/operations/cron-jobs/cron-jobs'
import { startWorking } from '../features/operations/scheduling/scheduler'
import { watchScheduler } from '../features/operations/scheduling/stall-check'
import { describeMissingKeys } from '../features/operations/sealing/missing-keys'
import { startBeating } from '../features/operations/system/processes'
import { ensureFirstAdmin } from '../features/people/accounts/administrators'
import { openInbox, type RunningInbox } from '../inbox/inbox-process'
import { createLogger } from '../observability/logger'
import { warnOfMissingWalls } from './missing-walls'
import { warnOfOpenDebugger } from './open-debugger'
import { describeOwnProcess, roleOfMain } from './own-process'
import { prepareDatabase } from './prepare-database'
import { endSetup, setUpInBrowser } from './set-up'
import { startTelemetry } from './telemetry'
import { warnOfUnusedProxies } from './unused-proxies'
import { requireUsableBuckets } from './usable-buckets'
import { startWebProcesses } from './web-processes'
import { startWebServer } from './web-server'

export type RunningServer = {
  deps: Deps
  /** The URL of the product. */
  url: string
  /** The URL of the metrics; null without METRICS_PORT. */
  metricsUrl: string | null
  /** What of SFTP and mails comes over this process; undefined when nothing does. */
  inbox: RunningInbox | undefined
  /** Finishes requests and jobs in progress, then closes everything. */
  close(): Promise<void>
}

/**
 * Starts the product: database, web server and, unless it runs elsewhere, the worker. It listens
 * only once there is an administrator, so that nobody can use the product before; with SETUP=browser, nothing but the
 * page that makes one is served until then.
 * @param showPassword receives the first administrator's password when it was generated. It is
 *   called at once, because the password is shown nowhere else and the start may still fail.
 * @param print receives lines for the operator, about an update of the database and the set-up
 * @throws StoppedError when the process was told to stop while it waited to be set up
 */
export async function serve(
  config: Config,
  clientDir: string,
  showPassword: (password: string) => void,
  print: (line: string) => void = () => undefined,
): Promise<RunningServer> {
  const logger = createLogger(config)
  warnOfOpenDebugger(logger)
  warnOfMissingWalls(logger)
  warnOfUnusedProxies(logger, config)
  const { deps: opened, close: closeDeps } = await openDeps(config, logger)
  let deps = opened
  try {
    await requireUsableBuckets(config)
    await prepareDatabase(deps, { report: print })
    const stopTelemetry = await startTelemetry(deps)
    for (const line of await describeMissingKeys(deps)) deps.logger.error(line)
    await ensureCronJobs(deps)
    const port = config.setsUpInBrowser
      ? await setUpInBrowser(deps, { clientDir, print })
      : undefined
    // Another one each time, if it was left to the system.
    if (port !== undefined) deps = { ...deps, config: { ...config, port } }
    const firstPassword = await ensureFirstAdmin(deps)
    if (firstPassword !== null) showPassword(firstPassword)
    await endSetup(deps)
    const web =
      config.webProcesses > 1
        ? await startWebProcesses(deps, clientDir)
        : await startWebServer(deps, { clientDir })
    const stopBeating = startBeating(deps, describeOwnProcess(roleOfMain(config)))
    const stopWatching = watchScheduler(deps)
    const stopWorking = config.hasInlineWorker ? startWorking(deps) : async () => undefined
    const inbox = config.hasInlineWorker && config.hasInlineInbox ? openInbox(deps) : undefined
    return {
      deps,
      url: config.publicUrl ?? web.url.replace('127.0.0.1', 'localhost'),
      metricsUrl: web.metricsUrl,
      inbox,
      async close() {
        await Promise.all([web.close(), stopWorking(), stopWatching(), inbox?.close()])
        await stopBeating()
        await stopTelemetry()
        await closeDeps()
      },
    }
  } catch (error) {
    await closeDeps()
    throw error
  }
}
