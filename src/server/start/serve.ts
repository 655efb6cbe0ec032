import { randomBytes } from 'node:crypto'

import { buildApp } from '../app'
import type { Config } from '../config'
import { migrateToLatest } from '../db/migrate'
import { openDeps } from '../deps'
import type { Deps } from '../domain/deps'
import { ensureFirstAdmin } from '../features/accounts/administrators'
import { describeMissingKeys } from '../features/connections/source-config'
import { ensureCronJobs } from '../features/cron-jobs/cron-jobs'
import { startWorking } from '../features/scheduling/scheduler'
import { checkServing } from '../http/health'
import { createLogger } from '../observability/logger'
import { readOrCreateSecret } from '../secrets/secret-file'
import { listen } from './listen'
import { startOperatorServer } from './operator-server'

const makeSessionSecret = () => randomBytes(48).toString('base64url')

export type RunningServer = {
  deps: Deps
  /** Where the product answers. */
  url: string
  /** Where metrics are, on loopback; null without METRICS_PORT. */
  metricsUrl: string | null
  /** Finishes what is under way, then closes everything. */
  close(): Promise<void>
}

/**
 * Brings the product up: database, web server and, unless it runs elsewhere, the worker. It listens when
 * there is an administrator, so that nobody who is let in is too early.
 * @param showPassword is given the first administrator's password when it was made up: at once, because
 * it is known to nobody else and the start may still fail
 */
export async function serve(
  config: Config,
  clientDir: string,
  showPassword: (password: string) => void,
): Promise<RunningServer> {
  const { deps, close: closeDeps } = await openDeps(config, createLogger(config))
  try {
    await migrateToLatest(deps.db)
    for (const line of await describeMissingKeys(deps)) deps.logger.error(line)
    await ensureCronJobs(deps)
    const sessionSecret =
      config.sessionSecret ?? (await readOrCreateSecret(config.secretFile, makeSessionSecret))
    // In development, Vite's own server has the client.
    const isDevelopment = config.environment === 'development'
    const app = await buildApp(deps, { sessionSecret, ...(!isDevelopment && { clientDir }) })
    const operator = await startOperator(deps)
    const firstPassword = await ensureFirstAdmin(deps)
    if (firstPassword !== null) showPassword(firstPassword)
    const { host, port } = config
    const address = await listen(app, { host, port, portVariable: 'PORT' })
    const stopWorking = config.hasInlineWorker ? startWorking(deps) : async () => undefined
    return {
      deps,
      url: config.publicUrl ?? address.replace('127.0.0.1', 'localhost'),
      metricsUrl: operator ? `${operator.url}/metrics` : null,
      async close() {
        await Promise.all([app.close(), stopWorking()])
        await operator?.close()
        await closeDeps()
      },
    }
  } catch (error) {
    await closeDeps()
    throw error
  }
}

async function startOperator(deps: Deps) {
  const { metricsPort: port } = deps.config
  if (port === undefined) return undefined
  const check = () => checkServing(deps)
  return startOperatorServer(deps, { port, variable: 'METRICS_PORT', check })
}
