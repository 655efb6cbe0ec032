import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  createServer,
} from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

import { closeServer, listenOnLoopback } from './loopback'

/** The response of a path of the server. */
export interface SourceRoute {
  body?: string | Uint8Array
  status?: number
  headers?: Record<string, string>
  /** Also enables 304 responses to conditional requests. */
  etag?: string
  lastModified?: string
  /** Sends the body compressed, with `Content-Encoding: gzip`. */
  gzip?: boolean
  /** Handles the request instead: for slow, truncated and reset responses. */
  handler?: RequestListener
}

interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
}

export type SourceServer = Awaited<ReturnType<typeof startSourceServer>>

/**
 * Starts an HTTP server on loopback with configurable responses.
 * @param fallback answers other paths, instead of 404
 */
export async function startSourceServer({
  fallback = notFound,
}: { fallback?: RequestListener } = {}) {
  const routes = new Map<string, SourceRoute>()
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()
  const handle: RequestListener = (request, response) => {
    const path = request.url ?? '/'
    requests.push({ method: request.method ?? '', path, headers: request.headers })
    const route = routes.get(path)
    if (route?.handler) route.handler(request, response)
    else if (route) respond(route, request, response)
    else fallback(request, response)
  }
  const server = createServer(handle)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await listenOnLoopback(server)
  return {
    /** The format of `FETCH_ALLOW`. */
    host: `127.0.0.1:${port}`,
    port,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    set: (path: string, route: SourceRoute) => void routes.set(path, route),
    requests,
    /** The request handler, for use in another server, such as one with TLS. */
    handle,
    /** The number of open connections. */
    openSockets: () => sockets.size,
    close: () => closeServer(server),
  }
}

const notFound: RequestListener = (_request, response) =>
  response.writeHead(404, { 'content-type': 'text/plain' }).end('Not Found')

function respond(route: SourceRoute, request: IncomingMessage, response: ServerResponse): void {
  const { etag, lastModified, gzip, status = 200 } = route
  const headers = {
    'content-type': 'text/csv',
    ...route.headers,
    ...(etag && { etag }),
    ...(lastModified && { 'last-modified': lastModified }),
    ...(gzip && { 'content-encoding': 'gzip' }),
  }
  const asked = request.headers
  const isUnchanged =
    (etag && asked['if-none-match'] === etag) ||
    (lastModified && asked['if-modified-since'] === lastModified)
  const body = Buffer.from(isUnchanged ? '' : (route.body ?? ''))
  response.writeHead(isUnchanged ? 304 : status, headers).end(gzip ? gzipSync(body) : body)
}
