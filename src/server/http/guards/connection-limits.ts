import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import type { FastifyInstance } from 'fastify'

import { MINUTE_MS } from '../../../shared/durations'

/**
 * Time limits for clients, in milliseconds. Slower clients are cut off, so that slow or hostile
 * ones cannot use up the connections. A download has no total limit: a slow reader gets the whole
 * file, and one that stops reading is cut off within two minutes.
 */
export function toTimeLimits(isBehindProxy: boolean) {
  return {
    /** None that Node checks, because a file may take longer than other requests: see `limitArrival`. */
    requestTimeout: 0,
    /** The time for headers begins with their first byte, however long the connection was idle. */
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000 },
    /**
     * For the next request on an idle connection. When a proxy reuses a connection that the server
     * has just closed, its client gets a 502. So the proxy must be the side that closes: common
     * proxies do after 60 seconds.
     */
    keepAliveTimeout: isBehindProxy ? 75_000 : 5_000,
    /** Without any traffic in either direction; a half-finished write extends it once. */
    connectionTimeout: MINUTE_MS,
  }
}

/** Creates the server of the application, with these limits. */
export function createLimitedServer(
  { http, ...limits }: ReturnType<typeof toTimeLimits>,
  handler: RequestListener,
): Server {
  const { keepAliveTimeout } = limits
  const server = createServer({ ...http, keepAliveTimeout }, (request, response) => {
    limitArrival(request)
    handler(request, response)
  })
  server.requestTimeout = limits.requestTimeout
  return server.setTimeout(limits.connectionTimeout)
}

/** For the body of a request to arrive. */
const ARRIVAL_MS = 30_000

const arrivals = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Refuses a request whose body has not arrived in time. */
export function limitArrival(request: IncomingMessage, ms = ARRIVAL_MS): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && Number(length) === 0) return
  const end = () => {
    const error = Object.assign(new Error('Too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!request.complete && request.socket.readable) handleClientError(error, request.socket)
  }
  withoutArrivalLimit(request)
  arrivals.set(request, setTimeout(end, ms).unref())
  request.once('close', () => withoutArrivalLimit(request))
}

/** For requests whose senders may take their time. */
export function withoutArrivalLimit(request: IncomingMessage): void {
  clearTimeout(arrivals.get(request))
}

/** Each takes memory and a file descriptor; files and the database need descriptors too. */
const MAX_CONNECTIONS = 5_000

export function limitConnections(app: FastifyInstance, max = MAX_CONNECTIONS): void {
  app.server.maxConnections = max
  // Node emits CONNECT without a request event, and closes the connection without a listener.
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    endWith(socket, ...NO_TUNNEL)
  })
}

type RawResponse = readonly [status: string, message: string]

const RESPONSES: Record<string, RawResponse> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
}
const BAD_REQUEST: RawResponse = ['400 Bad Request', 'The request is not valid']
const NO_TUNNEL: RawResponse = ['405 Method Not Allowed', 'The method CONNECT is not used here']

/** Responds to requests that are too slow or not valid HTTP, and closes the connection. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy()
  else endWith(socket, ...(RESPONSES[error.code ?? ''] ?? BAD_REQUEST))
}

/** Writes a JSON error outside of any request, as all errors are, and closes the connection. */
function endWith(socket: Duplex, status: string, message: string): void {
  // In the middle of a response, another one would look like a part of it.
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse }
  if (!socket.writable || current?.headersSent) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({ message })
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
