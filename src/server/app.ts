import { randomUUID } from 'node:crypto'

import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'

import { checkRouteRoles } from './api/route-roles'
import type { Deps } from './domain/deps'
import { registerApiDescription } from './http/api-description'
import { registerAuditExport } from './http/audit-export'
import { registerBackupDownloads } from './http/backup-downloads'
import { registerBodyParser } from './http/bodies'
import { registerCallLimits } from './http/call-limits'
import { registerChangesExport } from './http/changes-export'
import { warnOfUntrustedProxy } from './http/client-address'
import { handleClientError, limitConnections, toTimeLimits } from './http/connection-limits'
import { registerCrossSiteGuard } from './http/cross-site'
import { registerDownloads } from './http/downloads'
import { drainOnClose } from './http/draining'
import { registerErrors, sendError } from './http/errors'
import { registerFeeds } from './http/feeds'
import { registerGoogleSignIn } from './http/google-sign-in'
import { checkServing, registerHealth, registerSchedulerHealth } from './http/health'
import { refuseOtherHosts } from './http/host-names'
import { registerLists } from './http/lists'
import { observe, observeRequests } from './http/observe-requests'
import { refuseUnusedForms } from './http/request-forms'
import { registerRest } from './http/rest'
import { registerSecurityHeaders } from './http/security-headers'
import { registerSessions } from './http/session'
import { registerStatic } from './http/static'
import { registerTrpc } from './http/trpc'
import { registerUnsubscribing } from './http/unsubscribing'
import { registerViewerGuard } from './http/viewer-guard'

const BODY_LIMIT_BYTES = 256 * 1024
/** How long requests in flight may continue during a shutdown. */
const DRAIN_MS = 10_000

export type AppOptions = {
  /** Signs the session cookies; at least 32 characters. */
  sessionSecret: string
  /** Still accepted in cookies that were signed before the secret was changed. */
  previousSessionSecret?: string | undefined
  /** The folder of the built client; without it only the API is served. */
  clientDir?: string
}

/** Builds the web server. Fails when a route or procedure has no row in route-roles.ts. */
export async function buildApp(deps: Deps, options: AppOptions): Promise<FastifyInstance> {
  const { config } = deps
  const app = Fastify({
    loggerInstance: deps.logger as FastifyBaseLogger,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: BODY_LIMIT_BYTES,
    frameworkErrors: (error, request, reply) => {
      observe(deps, request, reply)
      void sendError(error, request, reply)
    },
    routerOptions: { maxParamLength: 5_000 },
    ...toTimeLimits(config.trustProxy.length > 0),
    clientErrorHandler: handleClientError,
    genReqId: () => randomUUID(),
    // The logger adds the request id to every line by itself (log-context.ts).
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
  })
  limitConnections(app)
  checkRouteRoles(app)
  // Event streams never end by themselves: draining would wait for them until its timeout.
  app.addHook('preClose', async () => deps.changes.close())
  drainOnClose(app, DRAIN_MS)
  observeRequests(app, deps)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  warnOfUntrustedProxy(app)
  registerErrors(app)
  registerSecurityHeaders(app, config.publicUrl?.startsWith('https:') ?? false)
  refuseUnusedForms(app)
  refuseOtherHosts(app, config.publicUrl)
  registerBodyParser(app)
  registerCallLimits(app, deps)
  registerCrossSiteGuard(app, config.publicUrl)
  registerHealth(app, () => checkServing(deps))
  registerSchedulerHealth(app, deps)
  registerFeeds(app, deps)
  registerApiDescription(app, deps)
  await app.register((withSessions) => registerSessionRoutes(withSessions, deps, options))
  return app
}

/** The routes that know who calls. Kept apart, because each request to them opens a session. */
async function registerSessionRoutes(
  app: FastifyInstance,
  deps: Deps,
  { sessionSecret, previousSessionSecret, clientDir }: AppOptions,
): Promise<void> {
  const secrets = [sessionSecret, previousSessionSecret].filter((secret) => secret !== undefined)
  await registerSessions(app, deps, secrets)
  registerViewerGuard(app, deps)
  registerRest(app, deps)
  registerLists(app, deps)
  registerDownloads(app, deps)
  registerBackupDownloads(app, deps)
  registerAuditExport(app, deps)
  registerChangesExport(app, deps)
  registerGoogleSignIn(app, deps)
  await app.register((withForms) => registerUnsubscribing(withForms, deps))
  await app.register((withTexts) => registerTrpc(withTexts, deps))
  if (clientDir) await registerStatic(app, clientDir)
}
