import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { costOf } from '../../api/call-costs'
import type { Deps } from '../../domain/deps'
import { logFailure } from '../../domain/log-failure'
import { describeError } from '../../trpc/describe-error'
import { callProcedure } from '../api/call-procedure'
import { createContext } from '../api/context'
import type { RefusedSignIn } from '../pages/sign-in-page'
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
      const { username, password } = (request.body ?? {}) as Record<string, unknown>
      const context = await createContext(deps, request, reply)
      try {
        await callProcedure('session.login', context, { username, password })
      } catch (error) {
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

/** Where the client is served by another server, as in development. */
function sendSmallPage(_request: FastifyRequest, reply: FastifyReply, { reason }: RefusedSignIn) {
  const content = `<p>${escapeHtml(reason)}</p><p><a href="/auth">Try again</a></p>`
  return reply
    .type('text/html; charset=utf-8')
    .send(renderSmallPage({ title: 'Login failed', content }))
}
