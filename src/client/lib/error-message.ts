import { TRPCClientError } from '@trpc/client'

import { FileRefusal } from './check-file'

/** Said of a call that no answer came back to. */
export const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'

interface ErrorData {
  code?: string
  httpStatus?: number
  fieldErrors?: Record<string, string>
}

/** What the server said about a failed call; null when no answer of the server came back. */
function readErrorData(error: unknown): ErrorData | null {
  if (!(error instanceof TRPCClientError)) return null
  return (error.data as ErrorData | null | undefined) ?? null
}

/** Reading 13: the server's message alone; `fallback` when it said nothing. */
export function errorMessage(error: unknown, fallback = 'Something went wrong'): string {
  if (error instanceof TRPCClientError && !error.data) return UNREACHABLE
  return error instanceof Error && error.message ? error.message : fallback
}

export function errorStatus(error: unknown): number | undefined {
  if (error instanceof FileRefusal) return error.httpStatus
  return readErrorData(error)?.httpStatus
}

/** The server's messages by the path of the input's field that each is about. */
export function fieldErrors(error: unknown): Record<string, string> {
  return readErrorData(error)?.fieldErrors ?? {}
}

export function isUnauthorized(error: unknown): boolean {
  return errorStatus(error) === 401
}
