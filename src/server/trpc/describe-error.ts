import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { TRPC_ERROR_CODES_BY_KEY, type TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc'
import { ZodError } from 'zod'

import type { RefusalReason } from '../domain/errors'
import { toRefusal } from '../domain/refusal'

/** The part of an error that a client may see. `fieldErrors` are sent over tRPC only. */
export type ErrorDescription = {
  status: number
  message: string
  retryAfterSeconds?: number
  reason?: RefusalReason
  hostKey?: string
  fieldErrors?: FieldErrors
}

/** Messages by path of the input field, such as `config.auth.password`. */
type FieldErrors = Record<string, string>

/** Every item of a long list may be invalid; a response names no more than people can correct. */
const MAX_FIELD_ERRORS = 20

const INTERNAL: ErrorDescription = { status: 500, message: 'Internal server error' }

/**
 * Status, message and fields for anything that was thrown. Only refusals and invalid input keep
 * their text; the text of any other error never reaches a client.
 */
export function describeError(error: unknown): ErrorDescription {
  const cause = error instanceof TRPCError ? error.cause : error
  const refusal = toRefusal(cause)
  if (refusal) {
    const { status, message, retryAfterSeconds, field, reason, hostKey } = refusal
    return {
      status,
      message,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(reason !== undefined && { reason }),
      ...(hostKey !== undefined && { hostKey }),
      ...(field !== undefined && { fieldErrors: { [field]: message } }),
    }
  }
  if (error instanceof TRPCError) {
    if (error.code === 'BAD_REQUEST') return { status: 400, ...describeInput(cause) }
    const status = getHTTPStatusCodeFromError(error)
    return status < 500 ? { status, message: error.message } : INTERNAL
  }
  return INTERNAL
}

/** The first message overall, and the first one of each field. */
function describeInput(cause: unknown): { message: string; fieldErrors?: FieldErrors } {
  const [first, ...others] = cause instanceof ZodError ? cause.issues : []
  if (!first) return { message: 'The request is not valid' }
  const fieldErrors = new Map<string, string>()
  for (const issue of [first, ...others]) {
    const path = issue.path.join('.')
    if (path === '' || fieldErrors.has(path)) continue
    fieldErrors.set(path, describeIssue(issue))
    if (fieldErrors.size === MAX_FIELD_ERRORS) break
  }
  return {
    message: describeIssue(first),
    ...(fieldErrors.size > 0 && { fieldErrors: Object.fromEntries(fieldErrors) }),
  }
}

function describeIssue({ path, message }: ZodError['issues'][number]): string {
  const field = path.at(-1)
  const isOurOwnText = !message.startsWith('Invalid input') && !message.startsWith('Too ')
  return isOurOwnText || field === undefined ? message : `${String(field)}: ${message}`
}

/** tRPC's codes for requests that the web server refuses before any procedure is called. */
const REFUSAL_CODES: Record<number, TRPC_ERROR_CODE_KEY> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  408: 'TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
}

/** Formats a refusal like a procedure's error, so that the client shows its message. */
export function toTrpcError({ status, message }: ErrorDescription) {
  const code = REFUSAL_CODES[status] ?? 'BAD_REQUEST'
  const error = {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: { code, httpStatus: status },
  }
  return { error }
}
