import { TRPCError } from '@trpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { costOf } from '../../api/call-costs'
import { withCaller } from '../../domain/caller'
import type { Deps } from '../../domain/deps'
import { logFailure } from '../../domain/log-failure'
import {
  finishSignIn,
  SecondFactorRequired,
  sealTicket,
} from '../../features/people/second-factor/sign-in-code'
import { describeError } from '../../trpc/describe-error'
import type { Context } from '../../trpc/init'
import { callProcedure } from '../api/call-procedure'
import { createContext } from '../api/context'
import type { RefusedSignIn } from '../pages/sign-in-page'
import { renderCodePage } from './code-page'
import { escapeHtml, renderSmallPage } from './small-page'

const BODY_LIMIT_BYTES = 4 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Shows why somebody was not signed in. */
export type SendRefusal = (
  request: FastifyRequest,
  reply: FastifyReply,
  refused: RefusedSignIn,
) => FastifyReply | Promise<FastifyReply>

/**
 * Registers the address to which the form of /auth is sent before the client's code has been loaded: as
 * `POST /api/login`, but answered with a page. Whoever is signed in gets /auth again, which leads on.
 */
export async function registerSignInForm(
  app: FastifyInstance,
  deps: Deps,
  sendRefusal: SendRefusal = sendSmallPage,
): Promise<void> {
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
  app.post(
    '/auth',
    { config: { takesForm: true, cost: costOf('session.login') }, bodyLimit: BODY_LIMIT_BYTES },
    async (request, reply) => {
      const { username, password, ticket, code } = (request.body ?? {}) as Record<string, unknown>
      const context = await createContext(deps, request, reply)
      try {
        if (typeof ticket === 'string') await finish(deps, context, { ticket, code })
        else await callProcedure('session.login', context, { username, password, code })
      } catch (error) {
        const cause = error instanceof TRPCError ? error.cause : error
        if (cause instanceof SecondFactorRequired) return sendCodePage(deps, request, reply, cause)
        const { status, message, retryAfterSeconds } = describeError(error)
        if (status >= 500) logFailure(request.log, error, 'A sign-in has failed')
        if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
        return sendRefusal(request, reply.status(status), {
          username: typeof username === 'string' ? username : '',
          reason: message,
        })
      }
      const [, query] = request.url.split('?', 2)
      return reply.redirect(query ? `/auth?${query}` : '/auth', 303)
    },
  )
}

/** Signs in by a page that has asked for the code. */
async function finish(deps: Deps, context: Context, form: { ticket: string; code: unknown }) {
  const { ticket, code } = form
  const caller = { origin: 'web', actor: null, address: context.address } as const
  await withCaller(caller, async () => {
    const sent = { ticket, code: typeof code === 'string' ? code.trim() : '' }
    await context.session.signIn(await finishSignIn(deps, sent, context.address))
  })
}

/** Asks for the code, above which stands why another one was refused. */
function sendCodePage(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { actor, field, message, status }: SecondFactorRequired,
) {
  const [, query = ''] = request.url.split('?', 2)
  const page = renderCodePage(sealTicket(deps, actor), {
    query,
    ...(field !== undefined && { reason: message }),
  })
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page)
}

/** Where the client is served by another server, as in development. */
function sendSmallPage(_request: FastifyRequest, reply: FastifyReply, { reason }: RefusedSignIn) {
  const content = `<p>${escapeHtml(reason)}</p><p><a href="/auth">Try again</a></p>`
  return reply
    .type('text/html; charset=utf-8')
    .send(renderSmallPage({ title: 'Login failed', content }))
}
