import type { SFTPWrapper } from 'ssh2'

import { FileError } from '../../file-error'
import type { FileState } from '../settled-file'

/** Small enough that every server answers it whole. */
const READ_BYTES = 32 * 1024
/** So many answers are on their way at once, since each takes as long as the way to the server. */
const READS_AHEAD = 16

type Ask = <T>(question: () => Promise<T>) => Promise<T>

/**
 * The bytes of a file, from the first to the last, and one that is too many if it has grown.
 * @throws FileError
 */
export async function* readSftpFile(
  sftp: SFTPWrapper,
  path: string,
  { bytes }: FileState,
  ask: Ask,
): AsyncGenerator<Buffer> {
  const handle = await ask(() => openFile(sftp, path))
  const coming: Promise<Buffer>[] = []
  let position = 0
  try {
    for (;;) {
      while (coming.length < READS_AHEAD && position <= bytes) {
        const length = Math.min(READ_BYTES, bytes + 1 - position)
        const chunk = readChunk(sftp, handle, { position, length })
        // It may fail before anybody waits for it.
        chunk.catch(() => undefined)
        coming.push(chunk)
        position += length
      }
      const next = coming.shift()
      if (!next) return
      const chunk = await next
      if (chunk.length > 0) yield chunk
    }
  } finally {
    sftp.close(handle, () => undefined)
  }
}

function openFile(sftp: SFTPWrapper, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sftp.open(path, 'r', (error, handle) =>
      error ? reject(describeSftpFailure(error)) : resolve(handle),
    )
  })
}

/** Servers may answer with fewer bytes than they were asked for, at the end with none. */
async function readChunk(
  sftp: SFTPWrapper,
  handle: Buffer,
  { position, length }: { position: number; length: number },
): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = await new Promise<number>((resolve, reject) => {
      sftp.read(handle, chunk, filled, length - filled, position + filled, (error, bytes) =>
        error ? reject(error) : resolve(bytes),
      )
    })
    if (count === 0) break
    filled += count
  }
  return chunk.subarray(0, filled)
}

const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3

/** The error for what a server answers to a path. */
export function describeSftpFailure(error: Error & { code?: unknown }): FileError {
  const cause = { cause: error }
  if (error.code === NO_SUCH_FILE) {
    return new FileError(
      'no-file',
      'There is no file of this name at the server: upper and lower case count.',
      cause,
    )
  }
  if (error.code === PERMISSION_DENIED) {
    return new FileError(
      'no-file',
      'This user may not read the file: ask the operator of the server.',
      cause,
    )
  }
  return new FileError('bad-answer', 'The server did not answer what SFTP asks it to.', cause)
}
