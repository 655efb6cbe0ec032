import { HOUR_MS } from '../../../../shared/durations'
import { formatFileSize } from '../../../../shared/format'
import { startDeadline } from '../../../concurrency/deadline'
import type { Deps } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { DomainError } from '../../../domain/errors'
import { enforceMinimumSpeed } from '../../../files/fetch/minimum-speed'
import { FileError } from '../../../files/file-error'
import type { FileDraft, StoredFile } from '../../../storage/file-store'

/** A sender that is slower would hold a scratch file and a place for hours. */
const MINIMUM_SPEED = { idleMs: 30_000, slowWindowMs: 60_000, minBytesPerSecond: 1_024 }
const MAX_ARRIVAL_HOURS = 2
const RETRY_AFTER_SECONDS = 10

export type SentFile = {
  fileName: string
  /** What its bytes are to hash to, in hexadecimal; null when that was not said. */
  sha256: string | null
  /** Whether it is a full file, and no update; undefined when that was not said. */
  isFull?: boolean | undefined
  /** Called once all is stored; resolves to the name under which it counts. */
  namedLater?: (signal: AbortSignal) => Promise<string>
  body: AsyncIterable<Buffer>
}

/** What is sent, and until when; called once its sender is known. */
export type TakeFile = () => { file: SentFile; signal: AbortSignal }

/** @throws DomainError UNAVAILABLE while the disk is nearly full */
export async function requireSpace(deps: Deps): Promise<void> {
  if (!(await findShortage(deps))) return
  throw new DomainError('UNAVAILABLE', 'The server is short of disk space. Try again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

/**
 * Writes what is sent to a scratch file.
 * @throws DomainError INVALID for no bytes, others than said, or too slow ones; TOO_LARGE
 */
export async function fillDraft(
  deps: Deps,
  draft: FileDraft,
  { body, sha256 }: SentFile,
  signal: AbortSignal,
): Promise<StoredFile> {
  const content = await draft.fill(limited(body, deps.config.maxFileBytes, signal))
  if (content.sizeBytes === 0) throw new DomainError('INVALID', 'The file is empty')
  if (sha256 !== null && sha256 !== content.sha256) {
    const hash = Buffer.from(content.sha256, 'hex').toString('base64')
    throw new DomainError(
      'INVALID',
      `The file is not the one that its digest says: the SHA-256 of what arrived is ${hash}`,
    )
  }
  return content
}

async function* limited(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let bytes = 0
  const deadline = startDeadline(MAX_ARRIVAL_HOURS * HOUR_MS, tookTooLong, signal)
  const now = () => performance.now()
  const inTime = enforceMinimumSpeed(body, MINIMUM_SPEED, deadline.signal, now)
  try {
    for await (const chunk of inTime) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new DomainError('INVALID', 'The file came too slowly. Send it again.')
  } finally {
    deadline.clear()
  }
}

const tookTooLong = () =>
  new DomainError(
    'INVALID',
    `The file did not arrive within ${MAX_ARRIVAL_HOURS} hours. Send it compressed, or over a faster connection.`,
  )

export const tooLarge = (maxBytes: number) =>
  new DomainError(
    'TOO_LARGE',
    `The file is larger than ${formatFileSize(maxBytes)}, the maximum size.`,
  )

export const brokenOff = () => new DomainError('INVALID', 'The file did not arrive completely')
