import Fastify, { type FastifyInstance } from 'fastify'

import type { Deps } from './domain/deps'
import { createFeedFiles } from './features/distribution/downloads/feed-file'
import { createRetailerFiles } from './features/distribution/downloads/retailer-files'
import { openMergedRead } from './features/distribution/merged-files/merged-reads'
import { registerApiDescription } from './http/api/api-description'
import { registerLists } from './http/api/lists'
import { registerRest } from './http/api/rest'
import { registerTrpc } from './http/api/trpc'
import { registerErrors, sendError } from './http/errors'
import { registerAuditExports } from './http/files/audit-export'
import { registerBackupDownloads } from './http/files/backup-downloads'
import { registerChangesExport } from './http/files/comparison-export'
import { registerDownloads } from './http/files/downloads'
import { registerFeeds } from './http/files/feeds'
import { registerFileLinks } from './http/files/file-links'
import { registerListExports } from './http/files/list-exports'
import { registerOwnData } from './http/files/own-data'
import { createPlainReads, type PlainReadParts } from './http/files/plain-reads'
import { registerUploads } from './http/files/uploads'
import { toAppOptions } from './http/guards/app-options'
import { registerBodyParser } from './http/guards/bodies'
import { createCallLimits, registerCallLimits } from './http/guards/call-limits'
import {
  createLimitedServer,
  limitConnections,
  toTimeLimits,
} from './http/guards/connection-limits'
import { registerCrossSiteGuard } from './http/guards/cross-site'
import { drainOnClose, type Drain } from './http/guards/draining'
import { refuseOtherHosts } from './http/guards/host-names'
import { observe, observeRequests } from './http/guards/observe-requests'
import { refuseUnusedForms } from './http/guards/request-forms'
import { createSecurityHeaders, registerSecurityHeaders } from './http/guards/security-headers'
import { requireStatedRoles } from './http/guards/stated-roles'
import { registerViewerGuard } from './http/guards/view-as-guard'
import { checkServing, registerHealth, registerSchedulerHealth } from './http/health'
import { registerApiKeys } from './http/sessions/api-key'
import { warnOfUntrustedProxy } from './http/sessions/client-address'
import { registerGoogleSignIn } from './http/sessions/google-sign-in'
import { createKnownCookies } from './http/sessions/known-cookies'
import { registerSessions } from './http/sessions/session'
import { registerSignInForm } from './http/sessions/sign-in-form'
import { registerStatic } from './http/static'
import { registerUnsubscribing } from './http/unsubscribing'

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

/** Builds the web server. Fails when a route or procedure has no stated roles. */
export async function buildApp(deps: Deps, options: AppOptions): Promise<FastifyInstance> {
  const { config } = deps
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  const parts: PlainReadParts = {
    feedFiles: createFeedFiles(deps, openMergedRead),
    retailerFiles: createRetailerFiles(deps),
    cookies: createKnownCookies(deps),
    limits: createCallLimits(deps),
    securityHeaders: createSecurityHeaders(isHttps),
  }
  const answerPlainRead = createPlainReads(deps, parts)
  let drain: Drain | undefined
  const timeLimits = toTimeLimits(config.trustProxy.length > 0)
  const app = Fastify({
    // In front of the framework, which takes longer than a file that is in memory.
    serverFactory: (handler) =>
      createLimitedServer(timeLimits, (request, response) => {
        if (!drain || !answerPlainRead(request, response, drain)) handler(request, response)
      }),
    ...toAppOptions(config, deps.logger),
    bodyLimit: BODY_LIMIT_BYTES,
    frameworkErrors: (error, request, reply) => {
      observe(deps, request, reply)
      void sendError(error, request, reply)
    },
    routerOptions: { maxParamLength: 5_000 },
  })
  limitConnections(app)
  requireStatedRoles(app)
  // Event streams never end by themselves: draining would wait for them until its timeout.
  app.addHook('preClose', async () => deps.changes.close())
  drain = drainOnClose(app, DRAIN_MS)
  observeRequests(app, deps)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  warnOfUntrustedProxy(app)
  registerErrors(app)
  registerSecurityHeaders(app, parts.securityHeaders)
  refuseUnusedForms(app)
  refuseOtherHosts(app, config.publicUrl)
  registerBodyParser(app)
  registerCallLimits(app, parts.limits)
  registerCrossSiteGuard(app, config.publicUrl)
  registerHealth(app, () => checkServing(deps))
  registerSchedulerHealth(app, deps)
  registerFeeds(app, deps, parts)
  registerFileLinks(app, deps, parts.limits)
  registerApiDescription(app, deps)
  await app.register((withSessions) => registerSessionRoutes(withSessions, deps, options, parts))
  return app
}

/** The routes that know who calls. Kept apart, because each request to them opens a session. */
async function registerSessionRoutes(
  app: FastifyInstance,
  deps: Deps,
  { sessionSecret, previousSessionSecret, clientDir }: AppOptions,
  parts: PlainReadParts,
): Promise<void> {
  const secrets = [sessionSecret, previousSessionSecret].filter((secret) => secret !== undefined)
  await registerSessions(app, deps, secrets)
  registerApiKeys(app, deps, parts.limits)
  registerViewerGuard(app, deps)
  registerRest(app, deps)
  registerLists(app, deps)
  registerDownloads(app, deps, parts)
  registerBackupDownloads(app, deps)
  registerAuditExports(app, deps)
  registerListExports(app, deps)
  registerOwnData(app, deps)
  registerChangesExport(app, deps)
  registerGoogleSignIn(app, deps)
  await app.register((withForms) => registerUnsubscribing(withForms, deps))
  await app.register((withFiles) => registerUploads(withFiles, deps, parts.limits))
  await app.register((withTexts) => registerTrpc(withTexts, deps))
  if (clientDir) await registerStatic(app, deps, { directory: clientDir, limits: parts.limits })
  else await app.register((withForms) => registerSignInForm(withForms, deps))
}
