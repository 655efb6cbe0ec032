import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { DomainError } from '../../domain/errors'
import { CSV_FORM } from '../../features/catalogue/versions/connection-files'
import { createCallCounter } from '../../http/call-counter'
import { readClientAddress } from '../../http/client-address'
import { chooseAnswer } from '../../http/conditions'
import { contentDisposition } from '../../http/content-disposition'
import { isEventStream } from '../../http/event-stream'
import { isOurHost } from '../../http/host-names'
import { parseHttpDate } from '../../http/http-date'
import { renderPopupPage } from '../../http/popup-page'
import { acceptsCopies, chooseRepresentation, toRepresentation } from '../../http/representations'
import { parseId } from '../../http/rest'
import { rememberRouteMethods } from '../../http/route-methods'
import { hashSessionId } from '../../http/session-store'
import { escapeHtml, renderSmallPage } from '../../http/small-page'
import { readIdentity } from '../../identity/claims'
import { isMailProvider, mailboxOf, mailDomainOf } from '../../mail/mailbox'
import { type GrowthCase, exempt, text, texts } from './case'

const HOOKS = 'adds hooks and routes; headers are limited to 16 KB, and bodies are limited too'
const NO_TEXT = 'takes no text'

const CONDITIONS = [
  'if-match',
  'if-unmodified-since',
  'if-none-match',
  'if-modified-since',
  'if-range',
  'range',
]
const FILE = {
  modifiedAt: 0,
  etag: '"a"',
  lastModified: 'Thu, 15 Jan 2026 08:30:00 GMT',
  sizeBytes: 9,
}

const WHOLE = toRepresentation({ sha256: 'a', sizeBytes: 9 })
const COPY = toRepresentation({ sha256: 'b', sizeBytes: 5, coding: 'br' })

const requestFrom = (ip: string) => ({ ip, socket: { remoteAddress: ip } }) as FastifyRequest
const replyOfType = (type: string) => ({ getHeader: () => type }) as unknown as FastifyReply

/** Cases by file below `src/server` and export. */
export const httpCases: Record<string, Record<string, GrowthCase>> = {
  'http/api-description': {
    registerApiDescription: exempt('sends a fixed text'),
  },
  'api/api-routes': { defineRoutes: exempt('takes a fixed table') },
  'http/audit-export': { registerAuditExport: exempt(HOOKS) },
  'http/backup-downloads': { registerBackupDownloads: exempt(HOOKS) },
  'http/changes-export': { registerChangesExport: exempt(HOOKS) },
  'http/bodies': { registerBodyParser: exempt(HOOKS) },
  'http/caller': { asCaller: exempt('runs what it is given') },
  'http/call-counter': {
    createCallCounter: texts((subjects) => {
      const count = createCallCounter(1_000)
      const call = { cost: 1, now: 0, limit: { max: 10, windowMs: 1_000 } }
      for (const subject of subjects) count(subject, call)
      for (const index of subjects.keys()) count(index, call)
      return count
    }),
  },
  'http/call-limits': { registerCallLimits: exempt(HOOKS), limitBy: exempt(HOOKS) },
  'http/client-address': {
    readClientAddress: text((ip) => readClientAddress(requestFrom(ip))),
    warnOfUntrustedProxy: exempt(HOOKS),
  },
  'http/conditions': {
    chooseAnswer: text((value) =>
      CONDITIONS.map((name) => chooseAnswer('GET', { range: 'bytes=1-2', [name]: value }, FILE)),
    ),
    toLastModified: exempt(NO_TEXT),
  },
  'http/representations': {
    acceptsCopies: text((value) => acceptsCopies({ 'accept-encoding': value })),
    chooseRepresentation: text((value) =>
      ['accept-encoding', 'if-match', 'if-none-match', 'if-range'].map((name) =>
        chooseRepresentation({ 'accept-encoding': 'br', [name]: value }, WHOLE, [COPY]),
      ),
    ),
    toRepresentation: exempt(NO_TEXT),
  },
  'http/host-names': {
    refuseOtherHosts: exempt(HOOKS),
    isOurHost: text((host) => isOurHost(host, 'stock.example')),
  },
  'http/connection-limits': {
    limitConnections: exempt(NO_TEXT),
    handleClientError: exempt(NO_TEXT),
    toTimeLimits: exempt(NO_TEXT),
  },
  'http/content-disposition': {
    contentDisposition: text((title) => contentDisposition({ title, dataAsOf: 0, form: CSV_FORM })),
  },
  'http/context': { createContext: exempt(HOOKS) },
  'http/cross-site': { registerCrossSiteGuard: exempt(HOOKS) },
  'api/file-format': { isNdjsonAsked: exempt('compares with two names') },
  'http/downloads': { registerDownloads: exempt(HOOKS) },
  'http/draining': { drainOnClose: exempt(HOOKS) },
  'http/errors': { registerErrors: exempt(HOOKS), sendError: exempt('sends fixed texts') },
  'http/feeds': { registerFeeds: exempt(HOOKS) },
  'http/event-stream': { isEventStream: text((type) => isEventStream(replyOfType(type))) },
  'http/google-sign-in': { registerGoogleSignIn: exempt(HOOKS) },
  'http/health': {
    registerHealth: exempt(HOOKS),
    registerSchedulerHealth: exempt(HOOKS),
    checkServing: exempt(NO_TEXT),
    checkWorking: exempt(NO_TEXT),
  },
  'http/http-date': { parseHttpDate: text(parseHttpDate) },
  'http/route-methods': {
    rememberRouteMethods: text((path) => {
      const routes: ((route: { method: string; url: string }) => void)[] = []
      const app = { addHook: (_name: string, hook: (typeof routes)[0]) => routes.push(hook) }
      const methodsOf = rememberRouteMethods(app as unknown as FastifyInstance)
      for (const url of ['/api/:id', '/:part'.repeat(1_000)]) routes[0]?.({ method: 'GET', url })
      return [methodsOf(path), methodsOf(path.replaceAll(/[,\n|>]/g, '/'))]
    }),
  },
  'http/lists': { registerLists: exempt(HOOKS) },
  'http/observe-requests': { observeRequests: exempt(HOOKS), observe: exempt(HOOKS) },
  'http/popup-page': {
    renderPopupPage: text((error) => renderPopupPage({ attempt: error, error })),
  },
  'http/small-page': {
    escapeHtml: text(escapeHtml),
    renderSmallPage: text((title) => renderSmallPage({ title, content: '' })),
  },
  'http/unsubscribing': { registerUnsubscribing: exempt(HOOKS) },
  'http/request-forms': { refuseUnusedForms: exempt(HOOKS) },
  'http/rest': { registerRest: exempt(HOOKS), parseId: text(parseId) },
  'http/security-headers': { registerSecurityHeaders: exempt(HOOKS) },
  'http/send-file': { sendFile: exempt(HOOKS) },
  'http/session': {
    cookieName: exempt(NO_TEXT),
    registerSessions: exempt(HOOKS),
    readActor: exempt(NO_TEXT),
    openSignInSession: exempt(NO_TEXT),
    controlSession: exempt(NO_TEXT),
  },
  'http/session-store': {
    hashSessionId: text(hashSessionId),
    createSessionStore: exempt('uses hashes of ids as keys'),
    touchSession: exempt(NO_TEXT),
  },
  'http/trpc': { registerTrpc: exempt(HOOKS) },
  'http/viewer-guard': { registerViewerGuard: exempt(HOOKS) },
  'http/static': { registerStatic: exempt(HOOKS) },
  'mail/mailbox': {
    mailboxOf: text(mailboxOf),
    mailDomainOf: text(mailDomainOf),
    isMailProvider: text(isMailProvider),
  },
  'identity/claims': {
    readIdentity: text((claim) => {
      const claims = { email: claim, email_verified: 'true', name: claim, picture: claim }
      try {
        return [readIdentity({ ...claims, email: 'a@b.example' }), readIdentity(claims)]
      } catch (error) {
        if (error instanceof DomainError) return error.message
        throw error
      }
    }),
  },
}
