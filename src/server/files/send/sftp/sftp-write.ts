import type { SFTPWrapper } from 'ssh2'

import type { Progress } from '../progress'
import { describeWriting } from './sftp-failures'

/** Small enough that every server takes it whole, and that it is one message of SSH. */
export const WRITE_BYTES = 31 * 1024
/** So many are on their way at once, since each answer takes as long as the way to the server. */
const WRITES_AHEAD = 64

/**
 * Writes pieces one after the other into an open file, and returns once all are answered.
 * @throws FileError, or the error of the pieces
 */
export async function writeSftpFile(
  sftp: SFTPWrapper,
  handle: Buffer,
  pieces: AsyncIterable<Buffer>,
  progress: Progress,
): Promise<void> {
  const going: { bytes: number; answer: Promise<void> }[] = []
  let position = 0
  const waitForOldest = async () => {
    const oldest = going.shift()
    if (oldest) await progress.taken(oldest.bytes, oldest.answer)
  }
  for await (const piece of pieces) {
    const answer = write(sftp, handle, piece, position)
    // It may fail before anybody waits for it.
    answer.catch(() => undefined)
    going.push({ bytes: piece.length, answer })
    position += piece.length
    if (going.length >= WRITES_AHEAD) await waitForOldest()
  }
  while (going.length > 0) await waitForOldest()
}

const write = (sftp: SFTPWrapper, handle: Buffer, piece: Buffer, position: number) =>
  new Promise<void>((resolve, reject) => {
    sftp.write(handle, piece, 0, piece.length, position, (error) =>
      error ? reject(describeWriting(error)) : resolve(),
    )
  })
