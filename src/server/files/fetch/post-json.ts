import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'

import { WEBHOOK_TIMEOUT_MS } from '../../../shared/webhook-rules'
import { startDeadline, waitUnlessAborted } from '../../concurrency/deadline'
import { FileError } from '../file-error'
import { connectGuarded, type Lookup } from './address-guard'
import { checkUrl, parseFetchAllow, webEndpoint } from './address-rules'
import { describeTransferFailure } from './connect-failure'
import type { EgressProxy } from './egress-proxy'

/** A request to an address that a user has entered. */
type JsonPost = {
  url: string
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

/** Posts JSON to addresses that users have entered, never to private ones. */
export interface JsonPoster {
  /**
   * Sends a request and returns the status of its answer and how long that took; redirects are not
   * followed.
   * @throws FileError, or the signal's reason
   */
  post(request: JsonPost): Promise<{ status: number; tookMs: number }>
}

const CONNECT_TIMEOUT_MS = 5_000
const MAX_HEADER_BYTES = 16 * 1024

type PosterOptions = {
  /** Entries of `FETCH_ALLOW`. */
  allow: readonly string[]
  lookup?: Lookup
  /** Through which public addresses are reached. */
  proxy?: EgressProxy | undefined
  timeoutMs?: number
}

export function createJsonPoster(options: PosterOptions): JsonPoster {
  const allow = parseFetchAllow(options.allow)
  const { lookup, proxy, timeoutMs = WEBHOOK_TIMEOUT_MS } = options
  return {
    async post({ url: text, headers, body, signal }) {
      const url = checkUrl(text, allow)
      const deadline = startDeadline(timeoutMs, () => noAnswer(timeoutMs), signal)
      const { signal: limit } = deadline
      const guard = { allow, lookup, proxy, connectTimeoutMs: CONNECT_TIMEOUT_MS, signal: limit }
      let socket: Socket | undefined
      const startedAt = performance.now()
      try {
        socket = await connectGuarded(webEndpoint(url), guard)
        const answer = send(url, socket, { headers, body })
        const status = await waitUnlessAborted(answer, deadline.signal)
        return { status, tookMs: performance.now() - startedAt }
      } finally {
        // The answer's body is not read: its status is all that counts.
        socket?.destroy()
        deadline.clear()
      }
    },
  }
}

function noAnswer(timeoutMs: number): FileError {
  return new FileError('answer-timeout', `There was no answer within ${timeoutMs / 1_000} s.`)
}

function send(
  url: URL,
  socket: Socket,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp
    const take = (response: IncomingMessage) => {
      response.on('error', () => undefined)
      resolve(response.statusCode ?? 0)
    }
    open(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
      createConnection: () => socket,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
      .on('error', (error) => reject(describeTransferFailure(error, 'response')))
      .on('response', take)
      .on('upgrade', take)
      .end(body)
  })
}
