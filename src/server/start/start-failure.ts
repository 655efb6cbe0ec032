import { ConfigError } from '../config'
import { UnusableDatabaseError } from '../db/open'
import { DomainError } from '../domain/errors'

/** Says in one line why the program cannot start, where that is known, and ends it. */
export function reportStartFailure(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isTold = [ConfigError, UnusableDatabaseError, DomainError].some(
    (kind) => error instanceof kind,
  )
  if (isTold) return error.message
  // A file of another user's, or a disk that is full: everything that is opened here is data.
  if ('path' in error) return `${error.message}. See DATA_DIR, and who owns what is in it.`
  return error.stack ?? error.message
}
