import { once } from 'node:events'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { TLSSocket } from 'node:tls'

import { FTPError } from 'basic-ftp'

import { startDeadline, waitUnlessAborted } from '../../../concurrency/deadline'
import type { FetchResources } from '../../fetch/fetch-context'
import { connectData } from '../../fetch/ftp/data-connection'
import type { FtpSession } from '../../fetch/ftp/ftp-session'
import { FileError } from '../../file-error'
import { inPieces } from '../pieces'
import type { SendContext } from '../send-context'
import type { SentBody } from '../sending'
import { STREAM_PIECE_BYTES, watchStream } from '../stream-progress'

/**
 * Writes a file anew, and returns once the server has confirmed that it has all of it.
 * @throws FileError, what the server answered, or the error of the body
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
  const { socket: data } = await connectData(session, context, resources)
  // Servers may cut it before they answer why: the answer tells more.
  data.on('error', () => undefined)
  // Nothing comes, but the end is told only to those who read.
  data.resume()
  const { isReady, isDone } = store(session, path)
  try {
    const ready = startDeadline(timeouts.headersMs, notReady, resources.signal)
    const begun = isReady.then(() => untilSecure(data))
    await waitUnlessAborted(begun, ready.signal).finally(ready.clear)
    const sent = sendPieces(data, body, context, resources.signal)
    // An answer that says no ends it at once.
    await Promise.race([sent, isDone.then(() => sent)])
    data.end()
    await answerWithin(isDone, timeouts.acceptMs, notAccepted, resources.signal)
  } catch (error) {
    const answered = error === CUT ? await whyCut(isDone, context, resources.signal) : error
    // Without an answer the server takes no other command.
    if (!(answered instanceof FTPError)) client.close()
    throw answered
  } finally {
    data.destroy()
  }
}

/** Has a file stored: the server is ready for its bytes, and then has all of them. */
function store({ client }: FtpSession, path: string) {
  const ready = Promise.withResolvers<void>()
  const done = client.ftp.handle(`STOR ${path}`, (answer, task) => {
    if (answer instanceof Error) return task.reject(answer)
    if (answer.code === 125 || answer.code === 150) return ready.resolve()
    if (answer.code >= 200) task.resolve(answer)
  })
  done.then(
    () => ready.reject(new FileError('bad-answer', 'The server did not wait for the file.')),
    ready.reject,
  )
  // It may fail before anybody waits for it.
  ready.promise.catch(() => undefined)
  return { isReady: ready.promise, isDone: done }
}

/** The connection through which the file goes has ended before it. */
const CUT = new Error('The data connection was cut')

async function untilSecure(data: Socket): Promise<void> {
  if (data.destroyed) throw CUT
  if (!(data instanceof TLSSocket) || data.getCipher()) return
  const closed = new Promise<void>((resolve) => data.once('close', resolve))
  await Promise.race([once(data, 'secureConnect').catch(throwCut), closed.then(throwCut)])
}

async function sendPieces(
  data: Socket,
  body: SentBody,
  { timeouts }: SendContext,
  signal: AbortSignal,
): Promise<void> {
  const progress = watchStream(timeouts, signal, () => performance.now())
  for await (const piece of inPieces(body(), STREAM_PIECE_BYTES)) {
    const written = new Promise<void>((resolve, reject) => {
      data.write(piece, (error) => (error ? reject(CUT) : resolve()))
    })
    await progress.taken(piece.length, written)
  }
}

function throwCut(): never {
  throw CUT
}

/** What the server says of a connection that it has cut. */
async function whyCut(
  answer: Promise<unknown>,
  { timeouts }: SendContext,
  signal: AbortSignal,
): Promise<unknown> {
  return answerWithin(answer, timeouts.cleanUpMs, () => CUT, signal).then(
    () => CUT,
    (error: unknown) => error,
  )
}

async function answerWithin(
  answer: Promise<unknown>,
  withinMs: number,
  timeout: () => Error,
  signal: AbortSignal,
): Promise<void> {
  const deadline = startDeadline(withinMs, timeout, signal)
  await waitUnlessAborted(answer, deadline.signal).finally(deadline.clear)
}

const notReady = () => new FileError('answer-timeout', 'The server did not answer in time.')

const notAccepted = () =>
  new FileError('answer-timeout', 'The server did not say in time that it has the file.')
