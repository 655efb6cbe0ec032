import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  createServer,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

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

export interface SourceServer {
  /** `127.0.0.1:port`, the format of `FETCH_ALLOW`. */
  host: string
  port: number
  url(path: string): string
  set(path: string, route: SourceRoute): void
  requests: SeenRequest[]
  /** The request handler, for use in another server, such as one with TLS. */
  handle: RequestListener
  /** The number of open connections. */
  openSockets(): number
  close(): Promise<void>
}

/** Starts an HTTP server on loopback with configurable responses, and 404 for other paths. */
export async function startSourceServer(): Promise<SourceServer> {
  const routes = new Map<string, SourceRoute>()
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()
  const handle: RequestListener = (request, response) => {
    const path = request.url ?? '/'
    requests.push({ method: request.method ?? '', path, headers: request.headers })
    const route = routes.get(path)
    if (route?.handler) route.handler(request, response)
    else if (route) respond(route, request, response)
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('Not Found')
  }
  const server = createServer(handle)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    port,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    set: (path, route) => void routes.set(path, route),
    requests,
    handle,
    openSockets: () => sockets.size,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function respond(route: SourceRoute, request: IncomingMessage, response: ServerResponse): void {
  const headers: Record<string, string> = { 'content-type': 'text/csv', ...route.headers }
  if (route.etag) headers['etag'] = route.etag
  if (route.lastModified) headers['last-modified'] = route.lastModified
  const isUnchanged =
    (route.etag !== undefined && request.headers['if-none-match'] === route.etag) ||
    (route.lastModified !== undefined &&
      request.headers['if-modified-since'] === route.lastModified)
  if (isUnchanged) {
    response.writeHead(304, headers).end()
    return
  }
  const body = Buffer.from(route.body ?? '')
  if (route.gzip) headers['content-encoding'] = 'gzip'
  response.writeHead(route.status ?? 200, headers).end(route.gzip ? gzipSync(body) : body)
}
