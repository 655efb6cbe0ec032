import { z } from 'zod'

import { codeOf } from '../../process/error-code'
import { FILE_ERROR_CODES, FileError } from '../file-error'

/** An error on its way between two processes. */
export const failureSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    code: z.enum(FILE_ERROR_CODES),
    message: z.string().max(2_000),
    line: z.number().int().nonnegative().optional(),
    retryAfterMs: z.number().optional(),
    hostKey: z.string().max(200).optional(),
  }),
  /** An error of the operating system, such as a full disk. */
  z.object({
    kind: z.literal('system'),
    code: z.string().max(100),
    message: z.string().max(2_000),
  }),
  z.object({ kind: z.literal('aborted') }),
  z.object({ kind: z.literal('fault'), message: z.string().max(20_000) }),
])
export type Failure = z.infer<typeof failureSchema>

/** @param signal of the work that has failed */
export function toFailure(error: unknown, signal?: AbortSignal): Failure {
  if (error instanceof FileError) {
    const { code, message, line, retryAfterMs, hostKey } = error
    return { kind: 'file', code, message, line, retryAfterMs, hostKey }
  }
  if (signal?.aborted) return { kind: 'aborted' }
  const code = codeOf(error)
  if (error instanceof Error && code !== '') {
    return { kind: 'system', code, message: error.message.slice(0, 2_000) }
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'fault', message: text.slice(0, 20_000) }
}

/** @param signal of the work that has failed; its reason is the error of work that was aborted */
export function fromFailure(failure: Failure, signal?: AbortSignal): unknown {
  switch (failure.kind) {
    case 'file': {
      const { code, message, line, retryAfterMs, hostKey } = failure
      return new FileError(code, message, { line, retryAfterMs, hostKey })
    }
    case 'system':
      return Object.assign(new Error(failure.message), { code: failure.code })
    case 'aborted':
      return signal?.aborted ? signal.reason : new Error('Work was aborted without a request')
    case 'fault':
      return new Error(`Reading a file failed: ${failure.message}`)
  }
}
