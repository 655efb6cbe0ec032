import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import { RESTORE_PROGRESS_PATH } from '../../../shared/constants'
import type { Config } from '../../config'
import { sendError } from '../errors'
import { toAppOptions } from '../guards/app-options'
import { limitConnections } from '../guards/connection-limits'
import { refuseOtherHosts } from '../guards/host-names'
import { refuseUnusedForms } from '../guards/request-forms'
import { createSecurityHeaders, registerSecurityHeaders } from '../guards/security-headers'
import { registerHealth } from '../health'
import { registerClientFiles } from '../pages/client-files'
import { escapeHtml, renderSmallPage, SMALL_PAGE_POLICY } from '../sessions/small-page'

const MAX_CONNECTIONS = 1_000
const RETRY_AFTER_SECONDS = 10

type RestoringOptions = {
  /** The folder of the built client; without it pages have no style. */
  clientDir?: string
  /** What is done at the moment, and since when, in ISO 8601. */
  progress(): { step: string; since: string }
}

/**
 * Builds the web server of an installation whose data are being replaced by a backup: every request is answered with
 * 503, but the health checks, what the page needs, and the address that tells the step. It has no database, and tells
 * nothing else.
 */
export async function buildRestoringApp(
  config: Config,
  logger: Logger,
  { clientDir, progress }: RestoringOptions,
): Promise<FastifyInstance> {
  const app = Fastify({ ...toAppOptions(config, logger), forceCloseConnections: true })
  limitConnections(app, MAX_CONNECTIONS)
  app.setErrorHandler(sendError)
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  registerSecurityHeaders(app, createSecurityHeaders(isHttps))
  refuseUnusedForms(app)
  refuseOtherHosts(app, config.publicUrl)
  // Before a body is read: nobody takes it.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    reply.status(503).header('retry-after', RETRY_AFTER_SECONDS)
    const message = `${config.appName} is being restored from a backup`
    if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) {
      void reply.send({ message })
      return
    }
    void reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', SMALL_PAGE_POLICY)
      .send(renderPage(message, progress()))
  })
  registerHealth(app, async () => {
    throw new Error('The data are being replaced')
  })
  app.get(RESTORE_PROGRESS_PATH, async () => progress())
  if (clientDir !== undefined) await registerClientFiles(app, clientDir)
  return app
}

const renderPage = (title: string, { step, since }: { step: string; since: string }) =>
  renderSmallPage({
    title,
    head: `<meta http-equiv="refresh" content="${RETRY_AFTER_SECONDS}" />`,
    content: `<p>${escapeHtml(step)}, since ${escapeHtml(since.slice(11, 16))} UTC. This page asks again by itself.</p>`,
  })
