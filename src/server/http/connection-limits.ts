import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import type { FastifyInstance } from 'fastify'

/**
 * How long a client may take, and for what. Whoever is slower is cut off, so that no number of slow
 * or hostile clients keeps the others out. Sending a file has no limit of its own: a slow reader
 * gets it all, and one that stops reading is cut off within two minutes.
 */
export function toTimeLimits(isBehindProxy: boolean) {
  return {
    /** For a whole request to arrive. */
    requestTimeout: 30_000,
    /** Headers have their time from their first byte on, however long the connection was idle. */
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000 },
    /**
     * For the next request on a connection that stays open. A proxy sends one on a connection that it
     * still takes for open, and answers 502 when that was closed just then: so it has to be the one
     * that closes, which those in use do after 60 seconds.
     */
    keepAliveTimeout: isBehindProxy ? 75_000 : 5_000,
    /** For anything at all to move, in either direction; a write that is half done counts once more. */
    connectionTimeout: 60_000,
  }
}

/** Each costs memory and a descriptor; the files and the database need theirs too. */
const MAX_CONNECTIONS = 5_000

export function limitConnections(app: FastifyInstance): void {
  app.server.maxConnections = MAX_CONNECTIONS
  // Node hands these over without a request, and ends the connection where nobody listens.
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    endWith(socket, ...NO_TUNNEL)
  })
}

type RawAnswer = readonly [status: string, message: string]

const ANSWERS: Record<string, RawAnswer> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
}
const BAD_REQUEST: RawAnswer = ['400 Bad Request', 'The request is not valid']
const NO_TUNNEL: RawAnswer = ['405 Method Not Allowed', 'The method CONNECT is not used here']

/** Answers what came too slowly or is no HTTP, and ends the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy()
  else endWith(socket, ...(ANSWERS[error.code ?? ''] ?? BAD_REQUEST))
}

/** Answers outside of any request, in the form that all answers have, and ends the connection. */
function endWith(socket: Duplex, status: string, message: string): void {
  // In the midst of an answer, another one would look like a part of it.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse }
  if (!socket.writable || answer?.headersSent) {
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
