import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { DomainError } from '../../../domain/errors'
import { CSV_FORM } from '../../../features/catalogue/versions/connection-files'
import { parseId } from '../../../http/api/rest'
import { chooseAnswer } from '../../../http/files/conditions'
import { contentDisposition } from '../../../http/files/content-disposition'
import { parseHttpDate } from '../../../http/files/http-date'
import {
  acceptsCopies,
  chooseRepresentation,
  toRepresentation,
} from '../../../http/files/representations'
import { createCallCounter } from '../../../http/guards/call-counter'
import { isEventStream } from '../../../http/guards/event-stream'
import { isOurHost } from '../../../http/guards/host-names'
import { rememberRouteMethods } from '../../../http/guards/route-methods'
import { readClientAddress } from '../../../http/sessions/client-address'
import { renderPopupPage } from '../../../http/sessions/popup-page'
import { hashSessionId } from '../../../http/sessions/session-store'
import { escapeHtml, renderSmallPage } from '../../../http/sessions/small-page'
import { readIdentity } from '../../../identity/claims'
import { isMailProvider, mailboxOf, mailDomainOf } from '../../../mail/mailbox'
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
  'http/api/api-description': {
    registerApiDescription: exempt('sends a fixed text'),
  },
  'api/api-routes': { defineRoutes: exempt('takes a fixed table') },
  'http/files/audit-export': { registerAuditExport: exempt(HOOKS) },
  'http/files/backup-downloads': { registerBackupDownloads: exempt(HOOKS) },
  'http/files/comparison-export': { registerChangesExport: exempt(HOOKS) },
  'http/guards/bodies': { registerBodyParser: exempt(HOOKS) },
  'http/sessions/caller': {
    asCaller: exempt('runs what it is given'),
    requireCaller: exempt('looks up a session'),
  },
  'http/guards/stated-roles': { requireStatedRoles: exempt(HOOKS) },
  'http/guards/call-counter': {
    createCallCounter: texts((subjects) => {
      const count = createCallCounter(1_000)
      const call = { cost: 1, now: 0, limit: { max: 10, windowMs: 1_000 } }
      for (const subject of subjects) count(subject, call)
      for (const index of subjects.keys()) count(index, call)
      return count
    }),
  },
  'http/guards/call-limits': { registerCallLimits: exempt(HOOKS), limitBy: exempt(HOOKS) },
  'http/sessions/client-address': {
    readClientAddress: text((ip) => readClientAddress(requestFrom(ip))),
    warnOfUntrustedProxy: exempt(HOOKS),
  },
  'http/files/conditions': {
    chooseAnswer: text((value) =>
      CONDITIONS.map((name) => chooseAnswer('GET', { range: 'bytes=1-2', [name]: value }, FILE)),
    ),
    toLastModified: exempt(NO_TEXT),
  },
  'http/files/representations': {
    acceptsCopies: text((value) => acceptsCopies({ 'accept-encoding': value })),
    chooseRepresentation: text((value) =>
      ['accept-encoding', 'if-match', 'if-none-match', 'if-range'].map((name) =>
        chooseRepresentation({ 'accept-encoding': 'br', [name]: value }, WHOLE, [COPY]),
      ),
    ),
    toRepresentation: exempt(NO_TEXT),
  },
  'http/guards/host-names': {
    refuseOtherHosts: exempt(HOOKS),
    isOurHost: text((host) => isOurHost(host, 'stock.example')),
  },
  'http/guards/connection-limits': {
    limitConnections: exempt(NO_TEXT),
    handleClientError: exempt(NO_TEXT),
    toTimeLimits: exempt(NO_TEXT),
  },
  'http/files/content-disposition': {
    contentDisposition: text((title) => contentDisposition({ title, dataAsOf: 0, form: CSV_FORM })),
  },
  'http/api/context': { createContext: exempt(HOOKS) },
  'http/guards/cross-site': { registerCrossSiteGuard: exempt(HOOKS) },
  'api/file-format': { isNdjsonAsked: exempt('compares with two names') },
  'http/files/downloads': { registerDownloads: exempt(HOOKS) },
  'http/guards/draining': { drainOnClose: exempt(HOOKS) },
  'http/errors': { registerErrors: exempt(HOOKS), sendError: exempt('sends fixed texts') },
  'http/files/feeds': { registerFeeds: exempt(HOOKS) },
  'http/guards/event-stream': { isEventStream: text((type) => isEventStream(replyOfType(type))) },
  'http/sessions/google-sign-in': { registerGoogleSignIn: exempt(HOOKS) },
  'http/health': {
    registerHealth: exempt(HOOKS),
    registerSchedulerHealth: exempt(HOOKS),
    checkServing: exempt(NO_TEXT),
    checkWorking: exempt(NO_TEXT),
  },
  'http/files/http-date': { parseHttpDate: text(parseHttpDate) },
  'http/guards/route-methods': {
    rememberRouteMethods: text((path) => {
      const routes: ((route: { method: string; url: string }) => void)[] = []
      const app = { addHook: (_name: string, hook: (typeof routes)[0]) => routes.push(hook) }
      const methodsOf = rememberRouteMethods(app as unknown as FastifyInstance)
      for (const url of ['/api/:id', '/:part'.repeat(1_000)]) routes[0]?.({ method: 'GET', url })
      return [methodsOf(path), methodsOf(path.replaceAll(/[,\n|>]/g, '/'))]
    }),
  },
  'http/api/lists': { registerLists: exempt(HOOKS) },
  'http/guards/observe-requests': { observeRequests: exempt(HOOKS), observe: exempt(HOOKS) },
  'http/sessions/popup-page': {
    renderPopupPage: text((error) => renderPopupPage({ attempt: error, error })),
  },
  'http/sessions/small-page': {
    escapeHtml: text(escapeHtml),
    renderSmallPage: text((title) => renderSmallPage({ title, content: '' })),
  },
  'http/unsubscribing': { registerUnsubscribing: exempt(HOOKS) },
  'http/guards/request-forms': { refuseUnusedForms: exempt(HOOKS) },
  'http/api/rest': { registerRest: exempt(HOOKS), parseId: text(parseId) },
  'http/guards/security-headers': { registerSecurityHeaders: exempt(HOOKS) },
  'http/files/send-file': { sendFile: exempt(HOOKS) },
  'http/sessions/session': {
    cookieName: exempt(NO_TEXT),
    registerSessions: exempt(HOOKS),
    readActor: exempt(NO_TEXT),
    openSignInSession: exempt(NO_TEXT),
    controlSession: exempt(NO_TEXT),
  },
  'http/sessions/session-store': {
    hashSessionId: text(hashSessionId),
    createSessionStore: exempt('uses hashes of ids as keys'),
    touchSession: exempt(NO_TEXT),
  },
  'http/api/trpc': { registerTrpc: exempt(HOOKS) },
  'http/guards/view-as-guard': { registerViewerGuard: exempt(HOOKS) },
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
