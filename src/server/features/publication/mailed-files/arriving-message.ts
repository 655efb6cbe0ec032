import { MAX_MAIL_BYTES } from '../../../../shared/constants'
import { formatFileSize } from '../../../../shared/format'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { FileError } from '../../../files/file-error'
import type { FileDraft, StoredFile } from '../../../storage/file-store'
import { fillDraft } from '../received-files/arriving-file'

export type ArrivingMail = {
  /** Of the envelope. */
  recipient: string
  /** The message, as it came. */
  body: AsyncIterable<Buffer>
  signal: AbortSignal
}

/** Writes a message to a scratch file. @throws DomainError INVALID; TOO_LARGE */
export function fillMessage(
  deps: Deps,
  draft: FileDraft,
  body: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<StoredFile> {
  const file = { fileName: '', sha256: null, body: atMost(body) }
  return fillDraft(deps, draft, file, signal)
}

async function* atMost(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MAX_MAIL_BYTES) {
      throw new DomainError(
        'TOO_LARGE',
        `The message is larger than ${formatFileSize(MAX_MAIL_BYTES)}, the maximum size. Send the file compressed.`,
      )
    }
    yield chunk
  }
}

/** Whether a message cannot be read, however often it comes. */
export const isUnreadable = (error: unknown): error is FileError =>
  error instanceof FileError && UNREADABLE.has(error.code)

const UNREADABLE = new Set<FileError['code']>(['mail', 'reading-time', 'reading-memory'])
