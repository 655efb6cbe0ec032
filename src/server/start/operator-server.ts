import Fastify, { LogController, type FastifyBaseLogger } from 'fastify'

import type { Deps } from '../domain/deps'
import { handleClientError, limitConnections, toTimeLimits } from '../http/guards/connection-limits'
import { refuseOtherHosts } from '../http/guards/host-names'
import { refuseUnusedForms } from '../http/guards/request-forms'
import { registerHealth } from '../http/health'
import { listen } from './listen'

/** Health checks and Prometheus need a few. */
const MAX_CONNECTIONS = 100

type Options = {
  port: number
  /** The variable that sets the port, named in errors. */
  variable: 'WORKER_PORT' | 'INBOX_PORT' | 'METRICS_PORT'
  /** Tells more of what is ready. @throws when the process cannot do its work */
  check(): Promise<object | void>
}

/**
 * Serves health checks and metrics for the operator, on METRICS_HOST (loopback, unless set) and on a separate port.
 * @returns its URL, and a function that closes it
 */
export async function startOperatorServer(deps: Deps, { port, variable, check }: Options) {
  const app = Fastify({
    loggerInstance: deps.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    ...toTimeLimits(false),
    clientErrorHandler: handleClientError,
  })
  limitConnections(app, MAX_CONNECTIONS)
  refuseUnusedForms(app)
  refuseOtherHosts(
    app,
    undefined,
    'Let Prometheus look names up, as in deploy/prometheus/prometheus.yaml.',
  )
  registerHealth(app, check)
  deps.metrics.measureProcess()
  // Requests at the same time share one look at the database and the disk.
  let scraping: ReturnType<Deps['metrics']['scrape']> | undefined
  app.get('/metrics', async (_request, reply) => {
    scraping ??= deps.metrics.scrape().finally(() => (scraping = undefined))
    const { contentType, text } = await scraping
    return reply.type(contentType).send(text)
  })
  const { metricsHost: host } = deps.config
  const url = await listen(app, {
    host,
    port,
    hostVariable: 'METRICS_HOST',
    portVariable: variable,
  })
  return { url, close: () => app.close() }
}
