import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { GooglePopupReport } from '../../shared/schemas/user'
import { countAttempts } from '../domain/attempts'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import {
  beginGoogleSignIn,
  finishGoogleSignIn,
  takeGoogleRequest,
} from '../features/accounts/google-sign-in'
import { describeError } from '../trpc/describe-error'
import { readClientAddress } from './client-address'
import { POPUP_PAGE_POLICY, renderPopupPage } from './popup-page'
import { openSignInSession } from './session'
import { hashSessionId } from './session-store'

const CALLBACK_PATH = '/api/auth/google/callback'

/** The two ends of the sign-in's window: its way to the provider, and the way back. */
export function registerGoogleSignIn(app: FastifyInstance, deps: Deps): void {
  // A look ahead with HEAD would begin a sign-in, or use one up.
  const read = { method: 'GET', exposeHeadRoute: false } as const
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
    return reply.redirect(await beginGoogleSignIn(deps, sessionIdHash, { attempt, redirectUri }))
  } catch (error) {
    return sendFailure(request, reply, attempt, error)
  }
}

async function receiveAnswer(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Until the state is known to be this session's, there is no page to report to.
  let attempt = ''
  try {
    const answer = callbackUrl(deps, request)
    answer.search = new URL(request.url, answer).search
    const sessionIdHash = hashSessionId(request.session.sessionId)
    const signIn = await takeGoogleRequest(deps, sessionIdHash, answer.searchParams.get('state'))
    attempt = signIn.attempt
    const identity = await finishGoogleSignIn(deps, signIn, answer)
    return sendPopupPage(reply, { attempt, identity })
  } catch (error) {
    return sendFailure(request, reply, attempt, error)
  }
}

/** Where the provider sends the browser back to: the same at the start and at the end. */
function callbackUrl({ config }: Deps, request: FastifyRequest): URL {
  const base = config.publicUrl ?? `${request.protocol}://${request.host}`
  if (!URL.canParse(base)) throw new DomainError('INVALID', 'The Host header is not valid')
  return new URL(CALLBACK_PATH, base)
}

/** A name of the page's own making, which only ever goes back to it. */
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
  if (status === 500) request.log.error({ err: error }, 'A sign-in with Google failed')
  return sendPopupPage(reply.status(status), { attempt, error: message })
}

function sendPopupPage(reply: FastifyReply, report: GooglePopupReport): FastifyReply {
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POPUP_PAGE_POLICY)
      // A policy of its own would cut the ties to the page that opened the window.
      .header('cross-origin-opener-policy', 'unsafe-none')
      .header('referrer-policy', 'no-referrer')
      .send(renderPopupPage(report))
  )
}
