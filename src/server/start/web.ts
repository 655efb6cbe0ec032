import '../process/without-debugger.mjs'
import { loadDotEnv, readConfig } from '../config'
import { openDeps } from '../deps'
import { startBeating } from '../features/operations/system/processes'
import { createLogger } from '../observability/logger'
import { describeOwnProcess } from './own-process'
import { closeOnSignal } from './shutdown'
import { reportStartFailure } from './start-failure'
import { startTelemetry } from './telemetry'
import type { WebProcessReady, WebProcessTask } from './web-processes'
import { startWebServer } from './web-server'

// One of several web processes, which the product starts with WEB_PROCESSES. Its argument is JSON: a
// `WebProcessTask`. Background work is done by the process that started it.
try {
  loadDotEnv()
  const { clientDir, ...own } = JSON.parse(process.argv[2] ?? '') as WebProcessTask
  const config = { ...readConfig(), ...own, webProcesses: 1, hasInlineWorker: false }
  const logger = createLogger(config)
  const { deps, close } = await openDeps(config, logger)
  const stopTelemetry = await startTelemetry(deps)
  const server = await startWebServer(deps, { clientDir, isShared: true })
  const stopBeating = startBeating(deps, describeOwnProcess('web'))
  closeOnSignal(logger, async () => {
    await server.close()
    await stopBeating()
    await stopTelemetry()
    await close()
    // Otherwise it would wait for its parent.
    process.disconnect?.()
  })
  // Its parent has died.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.send?.({ url: server.url } satisfies WebProcessReady)
} catch (error) {
  reportStartFailure(error)
}
