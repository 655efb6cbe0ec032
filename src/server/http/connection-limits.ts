import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'

/**
 * How long a client may take, and for what. Whoever is slower is cut off, so that no number of slow
 * or hostile clients keeps the others out. Sending a file has no limit of its own: a slow reader
 * gets it all, and one that stops reading is cut off within two minutes.
 */
export const timeLimits = {
  /** For a whole request to arrive. */
  requestTimeout: 30_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000 },
  /** For the next request on a connection that stays open. */
  keepAliveTimeout: 5_000,
  /** For anything at all to move, in either direction; a write that is half done counts once more. */
  connectionTimeout: 60_000,
}

/** Each costs memory and a descriptor; the files and the database need theirs too. */
const MAX_CONNECTIONS = 5_000

export function limitConnections(app: FastifyInstance): void {
  app.server.maxConnections = MAX_CONNECTIONS
}

const ANSWERS: Record<string, [status: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
}
const BAD_REQUEST = ['400 Bad Request', 'The request is not valid'] as const

/** Answers what came too slowly or is no HTTP, in our own form, and ends the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // In the midst of an answer, another one would look like a part of it.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse }
  if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent) {
    socket.destroy()
    return
  }
  const [status, message] = ANSWERS[error.code ?? ''] ?? BAD_REQUEST
  const body = JSON.stringify({ message })
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
