import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { GooglePopupReport } from '../../../shared/schemas/user'
import { countAttempts } from '../../domain/attempts'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { logFailure } from '../../domain/log-failure'
import {
  beginGoogleSignIn,
  finishGoogleSignIn,
  takeGoogleRequest,
} from '../../features/people/accounts/google-sign-in'
import { describeError } from '../../trpc/describe-error'
import { readClientAddress } from './client-address'
import { POPUP_PAGE_POLICY, renderPopupPage } from './popup-page'
import { openSignInSession } from './session'
import { hashSessionId } from './session-store'

const CALLBACK_PATH = '/api/auth/google/callback'

/** Registers the pages of the sign-in window: the redirect to the provider, and the callback. */
export function registerGoogleSignIn(app: FastifyInstance, deps: Deps): void {
  // No HEAD routes: a prefetch would start a sign-in or consume one.
  const read = { method: 'GET', exposeHeadRoute: false, config: { isWrite: true } } as const
  app.route({
    ...read,
    url: '/api/auth/google/start',
    handler: (request, reply) => sendToProvider(deps, request, reply),
  })
  app.route({
    ...read,
    url: CALLBACK_PATH,
    handler: (request, reply) => receiveAnswer(deps, request, reply),
  })
}

async function sendToProvider(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const attempt = readAttempt(request)
  try {
    const redirectUri = callbackUrl(deps, request).href
    await countAttempts(deps, [{ limit: 'googleSignIn', subject: readClientAddress(request) }])
    const sessionIdHash = await openSignInSession(deps, request)
    const { confirms } = request.query as Record<string, unknown>
    const how = { attempt, redirectUri, isConfirmation: confirms !== undefined }
    return reply.redirect(await beginGoogleSignIn(deps, sessionIdHash, how))
  } catch (error) {
    return sendFailure(request, reply, attempt, error)
  }
}

async function receiveAnswer(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // The attempt is only known once the state has been matched with this session.
  let attempt = ''
  try {
    const callback = callbackUrl(deps, request)
    callback.search = new URL(request.url, callback).search
    const sessionIdHash = hashSessionId(request.session.sessionId)
    const signIn = await takeGoogleRequest(deps, sessionIdHash, callback.searchParams.get('state'))
    attempt = signIn.attempt
    const identity = await finishGoogleSignIn(deps, signIn, callback)
    return sendPopupPage(reply, { attempt, identity })
  } catch (error) {
    return sendFailure(request, reply, attempt, error)
  }
}

/** The URL that the provider redirects to. It must be identical in both steps. */
function callbackUrl({ config }: Deps, request: FastifyRequest): URL {
  const base = config.publicUrl ?? `${request.protocol}://${request.host}`
  if (!URL.canParse(base)) throw new DomainError('INVALID', 'The Host header is not valid')
  return new URL(CALLBACK_PATH, base)
}

/** A name chosen by the page that opened the window, and only ever reported back to it. */
function readAttempt(request: FastifyRequest): string {
  const { attempt } = request.query as Record<string, unknown>
  return typeof attempt === 'string' ? attempt.slice(0, 100) : ''
}

function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: string,
  error: unknown,
): FastifyReply {
  const { status, message } = describeError(error)
  if (status >= 500) logFailure(request.log, error, 'A sign-in with Google failed')
  return sendPopupPage(reply.status(status), { attempt, error: message })
}

function sendPopupPage(reply: FastifyReply, report: GooglePopupReport): FastifyReply {
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POPUP_PAGE_POLICY)
      // Any stricter policy would disconnect the window from the page that opened it.
      .header('cross-origin-opener-policy', 'unsafe-none')
      .header('referrer-policy', 'no-referrer')
      .send(renderPopupPage(report))
  )
}
