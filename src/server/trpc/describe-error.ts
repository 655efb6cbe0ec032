import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { TRPC_ERROR_CODES_BY_KEY, type TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc'
import { ZodError } from 'zod'

import { toRefusal } from '../domain/refusal'

/** What a client may know of an error: the same on both doors. */
export type ErrorDescription = { status: number; message: string; retryAfterSeconds?: number }

const INTERNAL: ErrorDescription = { status: 500, message: 'Internal server error' }

/**
 * Status and message of anything that was thrown. Refusals and invalid input keep their text;
 * nothing else ever reaches a client as text.
 */
export function describeError(error: unknown): ErrorDescription {
  const cause = error instanceof TRPCError ? error.cause : error
  const refusal = toRefusal(cause)
  if (refusal) {
    const { status, message, retryAfterSeconds } = refusal
    return { status, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  }
  if (error instanceof TRPCError) {
    if (error.code === 'BAD_REQUEST') return { status: 400, message: describeInput(cause) }
    const status = getHTTPStatusCodeFromError(error)
    return status < 500 ? { status, message: error.message } : INTERNAL
  }
  return INTERNAL
}

/** The first message that a user can act on. */
function describeInput(cause: unknown): string {
  if (!(cause instanceof ZodError)) return 'The request is not valid'
  const [issue] = cause.issues
  if (!issue) return 'The request is not valid'
  const field = issue.path.at(-1)
  const isOurOwnText =
    !issue.message.startsWith('Invalid input') && !issue.message.startsWith('Too ')
  return isOurOwnText || field === undefined ? issue.message : `${String(field)}: ${issue.message}`
}

/** tRPC's names of what the web server refuses before a procedure is asked. */
const REFUSAL_CODES: Record<number, TRPC_ERROR_CODE_KEY> = {
  403: 'FORBIDDEN',
  408: 'TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
}

/** A refusal in the shape of a procedure's own, so that the client reads its text. */
export function toTrpcAnswer({ status, message }: ErrorDescription) {
  const code = REFUSAL_CODES[status] ?? 'BAD_REQUEST'
  const error = {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: { code, httpStatus: status },
  }
  return { error }
}
