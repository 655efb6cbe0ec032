import type { SFTPWrapper } from 'ssh2'

import { FileError } from '../../file-error'
import type { FileState } from '../file-server'

/** Small enough that every server answers it whole. */
const READ_BYTES = 32 * 1024
/** So many answers are on their way at once, since each takes as long as the way to the server. */
const READS_AHEAD = 16
/** Each answer takes as much work, however short it is: so many are accepted, and then only of this length on average. */
const SHORT_ANSWERS = 2_000
const MEAN_BYTES = 512

/**
 * The bytes of an open file, from the first to the last, and one that is too many if it has grown.
 * @throws the error of the connection
 */
export async function* readSftpFile(
  sftp: SFTPWrapper,
  handle: Buffer,
  { bytes }: FileState,
): AsyncGenerator<Buffer> {
  const coming: Promise<Buffer>[] = []
  const answered = { times: 0, bytes: 0 }
  let position = 0
  for (;;) {
    while (coming.length < READS_AHEAD && position <= bytes) {
      const length = Math.min(READ_BYTES, bytes + 1 - position)
      const chunk = readChunk(sftp, handle, { position, length }, answered)
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
}

/** Servers may answer with fewer bytes than they were asked for, at the end with none. */
async function readChunk(
  sftp: SFTPWrapper,
  handle: Buffer,
  { position, length }: { position: number; length: number },
  answered: { times: number; bytes: number },
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
    answered.bytes += count
    if (++answered.times > SHORT_ANSWERS + answered.bytes / MEAN_BYTES) throw tooShort()
  }
  return chunk.subarray(0, filled)
}

function tooShort(): FileError {
  return new FileError('bad-answer', 'The server sends the file in pieces that are too small.')
}
