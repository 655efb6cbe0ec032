import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { startDeadline, waitUnlessAborted } from '../../../concurrency/deadline'
import { describeTransferFailure } from '../../fetch/connect-failure'
import type { HttpResponse } from '../../fetch/http/http-response'
import { FileError } from '../../file-error'
import { inPieces } from '../pieces'
import type { SendContext } from '../send-context'
import type { SentBody } from '../sending'
import { STREAM_PIECE_BYTES, watchStream } from '../stream-progress'

const MAX_HEADER_BYTES = 16 * 1024
/** Answers that are none yet. */
const MAX_INTERIM_ANSWERS = 100

export interface Upload {
  url: URL
  method: string
  headers: Record<string, string | number>
  /** Undefined: nothing is sent with it. */
  body?: SentBody | undefined
}

/** The answer, and whether the server had asked for the body by then, or had been sent of it. */
export type UploadAnswer = { response: HttpResponse; isBegun: boolean }

/**
 * Sends a request with a body over an open connection, which is used for nothing else. The body is asked for once the
 * server wants it, or has said nothing against it for a while; a refusal ends it wherever it is.
 * @throws FileError
 */
export async function upload(
  { url, method, headers, body }: Upload,
  socket: Socket,
  { timeouts }: SendContext,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  // Without an agent no connection is kept alive, and no proxy is taken from the environment.
  const request = send(url, {
    method,
    headers,
    createConnection: () => socket,
    insecureHTTPParser: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  const ended = new AbortController()
  const answered = Promise.withResolvers<HttpResponse>()
  // It may fail before anybody waits for it.
  answered.promise.catch(() => undefined)
  const take = (response: IncomingMessage) => {
    response.on('error', () => undefined)
    if ((response.statusCode ?? 0) >= 300) ended.abort()
    answered.resolve(response as HttpResponse)
  }
  let interim = 0
  request
    .on('error', (error) => {
      answered.reject(error)
      ended.abort()
    })
    // An upgrade (101) was not requested; it is handled like any response.
    .on('response', take)
    .on('upgrade', take)
    .on('information', () => {
      if (++interim > MAX_INTERIM_ANSWERS) request.destroy(endless())
    })
  let isBegun = false
  try {
    if (body) {
      await untilWanted(request, headers, timeouts.continueMs, ended.signal, signal)
      if (!ended.signal.aborted) {
        isBegun = true
        const progress = watchStream(timeouts, signal, () => performance.now())
        for await (const piece of inPieces(body(), STREAM_PIECE_BYTES)) {
          // What has arrived is read before more is sent: a server that has refused it closes the connection.
          await nextTurn()
          if (ended.signal.aborted) break
          await progress.taken(piece.length, untilWritten(request, piece, ended.signal))
          if (ended.signal.aborted) break
        }
      }
    }
    if (!ended.signal.aborted) request.end()
    const limitMs = body ? timeouts.acceptMs : timeouts.headersMs
    const deadline = startDeadline(limitMs, noAnswer, signal)
    try {
      const response = await waitUnlessAborted(answered.promise, deadline.signal)
      // A server that has said yes before it had all of it may still lose the rest.
      if (response.statusCode < 300) await waitUnlessAborted(finished(request), deadline.signal)
      return { response, isBegun }
    } finally {
      deadline.clear()
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof FileError ? error : lost(error, isBegun)
  }
}

/** Servers that do not know how to say so get it after a moment. */
async function untilWanted(
  request: ClientRequest,
  headers: Upload['headers'],
  withinMs: number,
  ended: AbortSignal,
  signal: AbortSignal,
): Promise<void> {
  if (!('expect' in headers)) return
  const wanted = Promise.withResolvers<void>()
  const timer = setTimeout(wanted.resolve, withinMs)
  request.once('continue', wanted.resolve)
  ended.addEventListener('abort', () => wanted.resolve(), { once: true })
  request.flushHeaders()
  await waitUnlessAborted(wanted.promise, signal).finally(() => clearTimeout(timer))
}

/** Resolves once the system has taken a piece, or when there is nothing to wait for any more. */
function untilWritten(request: ClientRequest, piece: Buffer, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      ended.removeEventListener('abort', done)
      resolve()
    }
    ended.addEventListener('abort', done, { once: true })
    request.write(piece, done)
  })
}

const finished = (request: ClientRequest) =>
  new Promise<void>((resolve, reject) => {
    if (request.writableFinished) return resolve()
    request.once('finish', resolve).once('error', reject)
    request.once('close', () => reject(new Error('The connection was closed')))
  })

function lost(error: unknown, isBegun: boolean): FileError {
  const described = describeTransferFailure(error, 'response')
  if (!isBegun || described.code !== 'connection-lost') return described
  return new FileError(
    'connection-lost',
    'The server closed the connection before it had said that it has the file.',
    { cause: error },
  )
}

function endless(): FileError {
  return new FileError('bad-answer', 'The server answers without end.')
}

const noAnswer = () =>
  new FileError('answer-timeout', 'The server did not say in time that it has the file.')
