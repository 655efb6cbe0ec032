import type { IncomingHttpHeaders } from 'node:http'

import type { FastifyInstance, FastifyRequest } from 'fastify'

import { MAX_CALL_COST } from '../../../shared/constants'
import type { Deps } from '../../domain/deps'
import { DomainError, notFound } from '../../domain/errors'
import { hashSecretToken } from '../../domain/secret-token'
import { isForLater, receiveMail } from '../../features/publication/mailed-files/receive-mail'
import { checkSignature, isSigned } from '../../secrets/webhook-signature'
import type { CallLimits } from '../guards/call-limits'
import { withoutArrivalLimit } from '../guards/connection-limits'
import { readClientAddress } from '../sessions/client-address'
import { readBody, withBody } from './sent-file'

const ROUTE = { config: { takesFile: true, cost: MAX_CALL_COST } } as const
const RETRY_AFTER_SECONDS = 60

/**
 * Registers the address to which programs of mail services send messages as they came. What is refused for good is
 * answered with a status below 500, and all else with 503.
 */
export function registerMails(app: FastifyInstance, deps: Deps, limits: CallLimits): void {
  app.post('/inbox/mail', ROUTE, (request, reply) =>
    withBody(request, reply, async (signal) => {
      const { mailInboxSecret: secret } = deps.config
      if (secret === undefined) throw notFound('Address')
      const proof = readProof(request, secret, deps.clock.now())
      if (proof === 'wrong') throw wrongSecret(limits, request)
      const recipient = readRecipient(request)
      withoutArrivalLimit(request.raw)
      const body = readBody(request, signal)
      const message = proof === 'known' ? body : checkSignature(body, { ...proof, secret })
      try {
        const state = await receiveMail(deps, { recipient, body: checked(message), signal })
        return { state }
      } catch (error) {
        if (error instanceof SignatureRefusal) throw wrongSecret(limits, request)
        throw isForLater(error) ? toLater(error) : error
      }
    }),
  )
}

class SignatureRefusal extends DomainError {}

async function* checked(message: AsyncIterable<Buffer | false>): AsyncGenerator<Buffer> {
  for await (const chunk of message) {
    if (chunk === false) throw new SignatureRefusal('UNAUTHENTICATED', WRONG)
    yield chunk
  }
}

const WRONG = 'The secret is not the one of this installation'

function wrongSecret(limits: CallLimits, request: FastifyRequest): DomainError {
  limits.wrongMailSecretsFromAddress.count(readClientAddress(request), 1)
  limits.wrongMailSecrets.count('all', 1)
  return new DomainError('UNAUTHENTICATED', WRONG)
}

const CREDENTIALS = /^(?:bearer +(?<token>\S{1,500})|basic +(?<pair>[\w+/=-]{1,1000})) *$/i

/** Whether a request has the secret itself, or a signature that its body will tell of. */
function readProof({ headers }: FastifyRequest, secret: string, now: number) {
  if (headers['webhook-signature'] !== undefined) {
    return isSigned(headers, now) ? toSignature(headers) : 'wrong'
  }
  const { token, pair } = CREDENTIALS.exec(headers.authorization ?? '')?.groups ?? {}
  const text = pair === undefined ? token : Buffer.from(pair, 'base64').toString()
  const given = pair === undefined ? text : text?.slice(text.indexOf(':') + 1)
  const isRight = given !== undefined && hashSecretToken(given) === hashSecretToken(secret)
  return isRight ? 'known' : 'wrong'
}

const toSignature = (headers: IncomingHttpHeaders) => ({
  id: String(headers['webhook-id']),
  timestamp: String(headers['webhook-timestamp']),
  signatures: String(headers['webhook-signature']),
})

/** Of the envelope: the message may name others, or none. */
function readRecipient({ query, headers }: FastifyRequest): string {
  const { recipient = headers['x-original-to'] ?? headers['envelope-to'] } = query as {
    recipient?: unknown
  }
  if (typeof recipient === 'string') return recipient
  throw new DomainError('INVALID', 'Say in ?recipient= or X-Original-To whom the mail is for')
}

function toLater(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error
  const { retryAfterSeconds = RETRY_AFTER_SECONDS } = error
  return new DomainError('UNAVAILABLE', error.message, { retryAfterSeconds, cause: error })
}
