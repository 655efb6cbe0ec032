import { FileError } from '../files/file-error'
import { DomainError } from './errors'

/** Also Fastify's, which has fewer methods than pino's. */
type Log = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>

/**
 * Logs why work did not succeed, as loudly as it concerns the operator: a refusal that is meant, such as "is being
 * prepared", is information, the fault of a file is a warning, and everything else is an error with its stack.
 * @param details names what was worked on
 */
export function logFailure(log: Log, error: unknown, message: string, details: object = {}): void {
  if (error instanceof DomainError && error.cause === undefined) {
    log.info({ ...details, reason: error.message }, message)
  } else if (error instanceof FileError) {
    log.warn({ ...details, reason: error.message }, message)
  } else {
    log.error({ ...details, err: error }, message)
  }
}
