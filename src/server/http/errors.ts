import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { describeError, toTrpcAnswer, type ErrorDescription } from '../trpc/describe-error'

/** Texts for what Fastify itself refuses, before any rule of ours is asked. */
const REFUSALS: Record<number, string> = {
  400: 'The request is not valid',
  404: 'Not found',
  408: 'The request took too long',
  413: 'The request is too large',
  414: 'The address is too long',
  415: 'Send the body as application/json',
}

/** Every error leaves as `{"message"}`, or as tRPC has it; what is not known to be harmless leaves as no more than that. */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((_request, reply) => reply.status(404).send({ message: REFUSALS[404] }))
}

/** Also for addresses that no route is looked up for, which hooks and handlers never see. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const description = describe(error)
  const { status, message, retryAfterSeconds } = description
  if (status >= 500) request.log.error({ err: error }, 'A request failed')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  const body = request.url.startsWith('/trpc/') ? toTrpcAnswer(description) : { message }
  return reply.header('x-request-id', request.id).status(status).send(body)
}

function describe(error: FastifyError): ErrorDescription {
  const { statusCode, code } = error
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY') {
    return { status: 400, message: 'The body is not valid JSON' }
  }
  const isRefusal = statusCode !== undefined && statusCode < 500 && code?.startsWith('FST_')
  if (isRefusal)
    return { status: statusCode, message: REFUSALS[statusCode] ?? 'The request is not valid' }
  return describeError(error)
}
