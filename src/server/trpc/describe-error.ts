import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { ZodError } from 'zod'

import { toRefusal } from '../domain/disk'

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
