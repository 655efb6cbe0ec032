import { ConfigError } from '../config'
import { NewerDatabaseError } from '../db/newer-database'
import { UnusableDatabaseError } from '../db/open'
import { DomainError } from '../domain/errors'

/** Prints why the process cannot start, in one line for known causes, and exits with 1. */
export function reportStartFailure(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isExplained = [ConfigError, UnusableDatabaseError, NewerDatabaseError, DomainError].some(
    (kind) => error instanceof kind,
  )
  if (isExplained) return error.message
  // For example a file of another user, or a full disk: every file opened at the start is data.
  if ('path' in error) return `${error.message}. See DATA_DIR, and who owns what is in it.`
  return error.stack ?? error.message
}
