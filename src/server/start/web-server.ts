import { randomBytes } from 'node:crypto'

import { buildApp } from '../app'
import type { Deps } from '../domain/deps'
import { checkServing } from '../http/health'
import { readOrCreateSecret } from '../secrets/secret-file'
import { listen } from './listen'
import { startOperatorServer } from './operator-server'

const makeSessionSecret = () => randomBytes(48).toString('base64url')

/** The web server of a process. */
export type WebServer = {
  /** The URL at which it listens. */
  url: string
  /** The URL of its metrics; null without METRICS_PORT. */
  metricsUrl: string | null
  /** Finishes the requests in progress. */
  close(): Promise<void>
}

/** @param isShared whether other processes listen on the same port */
export async function startWebServer(
  deps: Deps,
  { clientDir, isShared = false }: { clientDir: string; isShared?: boolean },
): Promise<WebServer> {
  const { config } = deps
  const sessionSecret =
    config.sessionSecret ?? (await readOrCreateSecret(config.secretFile, makeSessionSecret))
  // In development, Vite's server serves the client.
  const isDevelopment = config.environment === 'development'
  const app = await buildApp(deps, {
    sessionSecret,
    previousSessionSecret: config.previousSessionSecret,
    ...(!isDevelopment && { clientDir }),
  })
  const operator = await startMetrics(deps)
  const { host, port } = config
  const address = { host, port, hostVariable: 'HOST', portVariable: 'PORT', isShared } as const
  return {
    url: await listen(app, address),
    metricsUrl: operator ? `${operator.url}/metrics` : null,
    async close() {
      await app.close()
      await operator?.close()
    },
  }
}

/** Serves the metrics of this process if METRICS_PORT is set. */
export async function startMetrics(deps: Deps) {
  const { metricsPort: port } = deps.config
  if (port === undefined) return undefined
  const check = () => checkServing(deps)
  return startOperatorServer(deps, { port, variable: 'METRICS_PORT', check })
}
