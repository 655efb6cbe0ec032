import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { personOf } from '../domain/actor'
import { withCaller } from '../domain/caller'
import type { Deps } from '../domain/deps'
import { logFailure } from '../domain/log-failure'
import { checkUnsubscribeToken, unsubscribe } from '../features/alerting/alerts/unsubscribing'
import {
  checkStopToken,
  isStopToken,
  stopMails,
} from '../features/distribution/destinations/stop-mails'
import { describeError } from '../trpc/describe-error'
import { readClientAddress } from './sessions/client-address'
import { readActor } from './sessions/session'
import { escapeHtml, NO_REFERRER, renderSmallPage, SMALL_PAGE_POLICY } from './sessions/small-page'

const BODY_LIMIT_BYTES = 4 * 1024
/** The types in which mail providers send the form of RFC 8058. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

type WithToken = FastifyRequest<{ Params: { token: string } }>

/**
 * Registers the address in the header of each mail with an alert or a file (RFC 8058). Mail providers send a POST request to
 * it when somebody clicks on their button; people who open it, and programs that look at every link of a
 * mail, get a page with a button.
 */
export async function registerUnsubscribing(app: FastifyInstance, deps: Deps): Promise<void> {
  // The token says everything: bodies are not read.
  app.addContentTypeParser(FORM_TYPES, { parseAs: 'string' }, (_request, _body, done) => done(null))
  const url = '/unsubscribe/:token'
  app.get(url, (request: WithToken, reply) =>
    answer(request, reply, async () => {
      const { token } = request.params
      if (!isStopToken(token)) {
        await checkUnsubscribeToken(deps, token)
        return ASK
      }
      await checkStopToken(deps, token)
      return ASK_FILES
    }),
  )
  app.post(
    url,
    { config: { takesForm: true }, bodyLimit: BODY_LIMIT_BYTES },
    (request: WithToken, reply) =>
      answer(request, reply, async () => {
        const actor = await readActor(deps, request)
        const caller = { actor: actor && personOf(actor), address: readClientAddress(request) }
        const { token } = request.params
        const ofFiles = isStopToken(token)
        await withCaller({ origin: 'web', ...caller }, () =>
          ofFiles ? stopMails(deps, token) : unsubscribe(deps, token),
        )
        return ofFiles ? DONE_FILES : DONE
      }),
  )
}

type Page = { title: string; content: string }

const TO_ALERTS = `<p><a href="/alerts" ${NO_REFERRER}>Choose what you are told of</a></p>`

const BELL_STAYS = '<p>Alerts in the app, under the bell, stay as they are.</p>'

const ASK: Page = {
  title: 'No more alerts by e-mail?',
  content: `${BELL_STAYS}
      <form method="post"><button>Stop the e-mails</button></form>
      ${TO_ALERTS}`,
}

const DONE: Page = {
  title: 'You get no more alerts by e-mail',
  content: `${BELL_STAYS}
      ${TO_ALERTS}`,
}

const OTHERS_STAY = '<p>Your colleagues still get it, and you can still download it here.</p>'

const ASK_FILES: Page = {
  title: 'No more files by e-mail?',
  content: `${OTHERS_STAY}
      <p>Links in mails that you have got already end too.</p>
      <form method="post"><button>Stop the e-mails</button></form>`,
}

const DONE_FILES: Page = {
  title: 'You get this file by e-mail no more',
  content: `${OTHERS_STAY}
      <p>Whoever sees to the shop can add you again.</p>`,
}

async function answer(request: FastifyRequest, reply: FastifyReply, work: () => Promise<Page>) {
  try {
    return send(reply, await work())
  } catch (error) {
    const { status, message, retryAfterSeconds } = describeError(error)
    if (status >= 500) logFailure(request.log, error, 'Mails could not be ended')
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    const content = `<p>${escapeHtml(message)}</p>
      ${TO_ALERTS}`
    return send(reply.status(status), { title: 'Nothing was changed', content })
  }
}

/**
 * The policy for referrers stays that of all pages: with a stricter one, browsers would send the form
 * with the origin `null`, which is refused like that of another site.
 */
function send(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', SMALL_PAGE_POLICY)
    .header('x-robots-tag', 'noindex')
    .send(renderSmallPage(page))
}
