import type { Logger } from 'pino'

import type { Config } from '../config'
import { openDeps, type OpenDeps } from '../deps'
import type { Deps } from '../domain/deps'
import { systemClock } from '../drivers'
import { ensureCronJobs } from '../features/operations/cron-jobs/cron-jobs'
import { startWorking } from '../features/operations/scheduling/scheduler'
import { watchScheduler } from '../features/operations/scheduling/stall-check'
import { describeMissingKeys } from '../features/operations/sealing/missing-keys'
import { startBeating } from '../features/operations/system/processes'
import { ensureFirstAdmin } from '../features/people/accounts/administrators'
import { openInbox, type RunningInbox } from '../inbox/inbox-process'
import { createLogger } from '../observability/logger'
import { resumeRestore, type StagedRestore } from '../restore/staged-restore'
import { awaitRestore } from './await-restore'
import { leadRestore } from './lead-restore'
import { warnOfMissingWalls } from './missing-walls'
import { warnOfOpenDebugger } from './open-debugger'
import { describeOwnProcess, roleOfMain } from './own-process'
import { prepareDatabase } from './prepare-database'
import { putIntoPlace } from './put-into-place'
import { watchRestores } from './restore-watch'
import { endSetup, setUpInBrowser, type SetUp } from './set-up'
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
  /** The port of the product. */
  port: number
  /** Resolves when this process has to give way: to a backup that it puts into place, or to another process that does. */
  givesWay: Promise<StagedRestore | 'another process'>
  /** Finishes the requests in progress, and listens no more. */
  closeWeb(): Promise<void>
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
 * @param problem why a restore that was begun in the browser has replaced nothing
 * @throws StoppedError when the process was told to stop while it waited to be set up
 */
export async function serve(
  config: Config,
  clientDir: string,
  showPassword: (password: string) => void,
  print: (line: string) => void = () => undefined,
  problem?: string,
): Promise<RunningServer> {
  const logger = createLogger(config)
  warnOfOpenDebugger(logger)
  warnOfMissingWalls(logger)
  warnOfUnusedProxies(logger, config)
  const { deps, close: closeDeps } = await openSetUp(config, logger, {
    clientDir,
    print,
    problem,
  })
  try {
    const stopTelemetry = await startTelemetry(deps)
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
    const restores = followRestores(deps)
    const closeWeb = once(() => web.close())
    return {
      deps,
      url: config.publicUrl ?? web.url.replace('127.0.0.1', 'localhost'),
      metricsUrl: web.metricsUrl,
      inbox,
      port: Number(new URL(web.url).port),
      givesWay: restores.givesWay,
      closeWeb,
      close: once(async () => {
        await restores.end()
        await Promise.all([closeWeb(), stopWorking(), stopWatching(), inbox?.close()])
        await stopBeating()
        await stopTelemetry()
        await closeDeps()
      }),
    }
  } catch (error) {
    await closeDeps()
    throw error
  }
}

/** Looks for restores that administrators ask for. */
function followRestores(deps: Deps) {
  const ended = new AbortController()
  let stopWatching = async () => undefined as void
  const givesWay = new Promise<StagedRestore | 'another process'>((resolve) => {
    stopWatching = watchRestores(deps, {
      async lead(taken) {
        const staged = await leadRestore(deps, taken, ended.signal)
        if (staged) resolve(staged)
      },
      onStop: () => resolve('another process'),
    })
  })
  return {
    givesWay,
    end() {
      ended.abort(new Error('The process stops'))
      return stopWatching()
    },
  }
}

/** What is called again gets the result of the first call. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}

type OpenOptions = { clientDir: string; print(line: string): void; problem?: string | undefined }

/**
 * Opens the product, and with SETUP=browser waits until it is set up. A backup that is chosen there replaces the data while
 * nothing of the product is open, and the product is opened on it.
 */
async function openSetUp(config: Config, logger: Logger, options: OpenOptions): Promise<OpenDeps> {
  const { print, problem } = options
  await resumeRestore(config, { now: systemClock.now(), report: print, reason: problem })
  await awaitRestore(config, print)
  const opened = await openDeps(config, logger)
  const { deps } = opened
  let setUp: SetUp | undefined
  try {
    await requireUsableBuckets(config)
    await prepareDatabase(deps, { report: print })
    for (const line of await describeMissingKeys(deps)) logger.error(line)
    await ensureCronJobs(deps)
    if (config.setsUpInBrowser) setUp = await setUpInBrowser(deps, options)
  } catch (error) {
    await opened.close()
    throw error
  }
  if (!setUp) return opened
  // Another one each time, if it was left to the system.
  const atPort = { ...config, port: setUp.port }
  if (!setUp.restore) return { ...opened, deps: { ...deps, config: atPort } }
  await opened.close()
  const failure = await putIntoPlace(atPort, logger, { ...options, restore: setUp.restore })
  return openSetUp(atPort, logger, { ...options, problem: failure })
}
