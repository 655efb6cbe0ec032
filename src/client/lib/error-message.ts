import { TRPCClientError } from '@trpc/client'

import { FileRequestError } from './check-file'

/** Message for a call that got no response. */
const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'

/** Thrown instead of the browser's error when the server does not answer. */
export class UnreachableError extends Error {
  constructor() {
    super(UNREACHABLE)
  }
}

interface ErrorData {
  code?: string
  httpStatus?: number
  retryAfterSeconds?: number
  /** Why, for programs. */
  reason?: string
  /** The key that a server has shown which nobody has confirmed. */
  hostKey?: string
  fieldErrors?: Record<string, string>
}

/** The server's data about a failed call; null when it did not respond. */
function readErrorData(error: unknown): ErrorData | null {
  if (!(error instanceof TRPCClientError)) return null
  return (error.data as ErrorData | null | undefined) ?? null
}

/** The server's message, without the HTTP status; `fallback` when there is none. */
export function errorMessage(error: unknown, fallback = 'Something went wrong'): string {
  if (isUnreachable(error)) return UNREACHABLE
  return error instanceof Error && error.message ? error.message : fallback
}

/** Whether a call or a part of the application got no response of the server. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof UnreachableError || (error instanceof TRPCClientError && !error.data)
}

export function errorStatus(error: unknown): number | undefined {
  if (error instanceof FileRequestError) return error.httpStatus
  return readErrorData(error)?.httpStatus
}

/** How long to wait after too many calls; undefined for any other error. */
export const retryAfterSeconds = (error: unknown): number | undefined =>
  readErrorData(error)?.retryAfterSeconds

/** The server's messages by input path, for example `config.url`. */
export function fieldErrors(error: unknown): Record<string, string> {
  return readErrorData(error)?.fieldErrors ?? {}
}

/** What has to be known of a server before anything is sent to it; undefined for any other error. */
export function shownHostKey(error: unknown) {
  const { hostKey, reason, fieldErrors: fields = {} } = readErrorData(error) ?? {}
  if (hostKey === undefined) return undefined
  const part = Object.keys(fields).some((path) => path.startsWith('overlay.'))
    ? 'overlay'
    : 'config'
  return { hostKey, isChanged: reason === 'host_key_changed', part } as const
}

/** Whether the user has to confirm first to be there. */
export const needsConfirmation = (error: unknown): boolean =>
  readErrorData(error)?.reason === 'confirmation_required'

/** Whether a sign-in with a right password lacks a code, or the right one. */
export const needsSecondFactor = (error: unknown): boolean =>
  readErrorData(error)?.reason === 'second_factor_required'

/** Whether somebody else may know the password, which has to be changed first. */
export const needsOwnPassword = (error: unknown): boolean =>
  readErrorData(error)?.reason === 'own_password_required'

/** Whether nothing else is possible any more without a second factor. */
export const needsFactorSetup = (error: unknown): boolean =>
  readErrorData(error)?.reason === 'second_factor_setup_required'

export function isUnauthorized(error: unknown): boolean {
  return errorStatus(error) === 401
}
