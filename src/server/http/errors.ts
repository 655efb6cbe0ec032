import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { logFailure } from '../domain/log-failure'
import { describeError, toTrpcError, type ErrorDescription } from '../trpc/describe-error'
import { OTHER_FILE } from './files/conditions'

/** Messages, by status, for requests that Fastify and its files of the client refuse by themselves. */
const REFUSALS: Record<number, string> = {
  400: 'The request is not valid',
  404: 'Not found',
  408: 'The request took too long',
  413: 'The request is too large',
  414: 'The address is too long',
  412: OTHER_FILE,
  415: 'Send the body as application/json',
  416: 'The file has no such range',
}

/**
 * Sends every error as `{"message"}`, or in tRPC's format below /trpc. Errors that are not known to
 * be safe to show become 'Internal server error'.
 */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((_request, reply) => reply.status(404).send({ message: REFUSALS[404] }))
}

/** Also handles URLs that Fastify refuses before routing, which hooks and handlers never see. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const description = describe(error)
  const { status, message, retryAfterSeconds, reason, hostKey } = description
  if (status >= 500) logFailure(request.log, error, 'A request failed')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  const refusal = { message, ...(reason && { code: reason }), ...(hostKey && { hostKey }) }
  const body = request.url.startsWith('/trpc/') ? toTrpcError(description) : refusal
  return reply.header('x-request-id', request.id).status(status).send(body)
}

function describe(error: FastifyError): ErrorDescription {
  const { statusCode, code } = error
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY') {
    return { status: 400, message: 'The body is not valid JSON' }
  }
  // Files of the client fail so when a condition or a range of the request cannot be met.
  const isUnmet = statusCode === 412 || statusCode === 416
  const isRefusal =
    isUnmet || (statusCode !== undefined && statusCode < 500 && code?.startsWith('FST_'))
  if (isRefusal)
    return { status: statusCode, message: REFUSALS[statusCode] ?? 'The request is not valid' }
  return describeError(error)
}
