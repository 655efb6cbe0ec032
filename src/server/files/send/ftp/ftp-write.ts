import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'

import { FTPError } from 'basic-ftp'

import { startDeadline, waitUnlessAborted } from '../../../concurrency/deadline'
import type { FetchResources } from '../../fetch/fetch-context'
import { openDataConnection } from '../../fetch/ftp/data-connection'
import type { FtpSession } from '../../fetch/ftp/ftp-session'
import { FileError } from '../../file-error'
import { inPieces } from '../pieces'
import type { SendContext } from '../send-context'
import type { SentBody } from '../sending'
import { STREAM_PIECE_BYTES, watchStream } from '../stream-progress'

/**
 * Writes a file anew, and returns once the server has confirmed that it has all of it.
 * @throws FileError, or what the server answered
 */
export async function writeFtpFile(
  session: FtpSession,
  path: string,
  body: SentBody,
  context: SendContext,
  resources: FetchResources,
): Promise<void> {
  const { client } = session
  const { timeouts } = context
  const failed = new AbortController()
  const begun = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  // Read as the server takes it, from the moment at which it is ready.
  async function* pieces() {
    begun.resolve()
    const progress = watchStream(timeouts, resources.signal, () => performance.now())
    for await (const piece of inPieces(body(), STREAM_PIECE_BYTES)) {
      const taken = Promise.withResolvers<void>()
      progress.taken(piece.length, taken.promise).catch((error: unknown) => failed.abort(error))
      yield piece
      taken.resolve()
    }
    sent.resolve()
  }
  const source = Readable.from(pieces(), { objectMode: true, highWaterMark: 1 })
  source.on('error', () => undefined)
  client.prepareTransfer = () => openDataConnection(session, context, resources)
  const transfer = client.uploadFrom(source, path)
  // It may fail before anybody waits for it.
  transfer.catch(() => undefined)
  try {
    // Connecting has its own time limits, for each of the ways in which it is tried.
    const ready = startDeadline(
      timeouts.headersMs + 2 * timeouts.connectMs,
      notReady,
      resources.signal,
    )
    await waitUnlessAborted(Promise.race([begun.promise, transfer]), ready.signal).finally(
      ready.clear,
    )
    await waitUnlessAborted(Promise.race([sent.promise, transfer]), failed.signal)
    const accepted = startDeadline(timeouts.acceptMs, notAccepted, resources.signal)
    await waitUnlessAborted(transfer, accepted.signal).finally(accepted.clear)
  } catch (error) {
    // Without its end the server takes no other command.
    if (!(error instanceof FTPError)) client.close()
    throw error
  } finally {
    source.destroy()
  }
}

const notReady = () => new FileError('answer-timeout', 'The server did not answer in time.')

const notAccepted = () =>
  new FileError('answer-timeout', 'The server did not say in time that it has the file.')
