import { type Actor, selfOf } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { FileError } from '../../../files/file-error'

const TIMEOUT_MS = 20_000

/**
 * Reads a stored file for somebody who waits. Each user reads one file at a time; further calls wait.
 * @param read gets the path of the file
 * @param caller fires when the caller no longer waits
 * @throws DomainError UNAVAILABLE when the file is gone, or cannot be read within 20 seconds
 */
export async function readStoredFile<Result>(
  deps: Deps,
  actor: Actor,
  { sha256, signal: caller }: { sha256: string; signal?: AbortSignal | undefined },
  read: (file: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = caller ? AbortSignal.any([timeout, caller]) : timeout
  try {
    const release = await deps.browsing.acquire(selfOf(actor).id, signal)
    try {
      return await read(await deps.files.locate(sha256), signal)
    } finally {
      release()
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    if (error instanceof FileError || signal.aborted) throw unavailable('could not be read')
    if (await deps.files.has(sha256)) throw error
    throw unavailable('are being prepared')
  }
}

function unavailable(problem: string): DomainError {
  const message = `The rows ${problem}. Try again in a moment.`
  return new DomainError('UNAVAILABLE', message, { retryAfterSeconds: 2 })
}
