import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type Socket, createServer as createTcpServer } from 'node:net'

import type { FileFetcherOptions } from '../../files/fetch/fetch'
import { listenOnLoopback } from './loopback'
import { createAuthority, createSelfSigned } from './source-certificate'
import { startSourceServer, type SourceRoute } from './source-server'

/** How a source behaves: its response, its certificate, and what its name resolves to. */
export type SourceState = {
  /** The response at the path of the file. */
  route?: SourceRoute
  /** The certificate for https. */
  certificate?: 'good' | 'self-signed' | 'expired' | 'wrong-name'
  /** On the https port, a server that accepts connections but does not speak TLS. */
  tls?: 'silent' | 'plain-http'
  name?: 'unknown' | 'private' | 'nobody-listens'
}

const HOST = 'shop.example'

export type FaultServer = Awaited<ReturnType<typeof startFaultServer>>

const authority = createAuthority()
const certificates = {
  good: authority.issue(HOST),
  'self-signed': createSelfSigned(HOST),
  expired: authority.issue(HOST, 2021),
  'wrong-name': authority.issue('other.example'),
}

/** Starts a supplier's server, over http and https, whose behaviour can be changed. */
export async function startFaultServer() {
  const plain = await startSourceServer()
  const sockets = new Set<Socket>()
  let state: SourceState = {}

  const secure = createTlsServer(certificates.good, plain.handle)
  // Placed in front of the TLS server, so that TLS can be bypassed.
  const front = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (state.tls === 'silent') socket.resume()
    else if (state.tls === 'plain-http') socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n')
    else secure.emit('connection', socket)
  })
  secure.on('tlsClientError', (_error, socket) => socket.destroy())
  const securePort = await listenOnLoopback(front)
  return {
    url: `http://${HOST}:${plain.port}/feed.csv`,
    secureUrl: `https://${HOST}:${securePort}/feed.csv`,
    /** Options for a fetcher to resolve and trust it. */
    fetching: {
      allow: ['127.0.0.1', '127.0.0.9'],
      ca: authority.cert,
      async lookup() {
        if (state.name === 'unknown') throw new Error('ENOTFOUND')
        if (state.name === 'private') return [{ address: '10.0.0.7' }]
        return [{ address: state.name === 'nobody-listens' ? '127.0.0.9' : '127.0.0.1' }]
      },
    } satisfies Partial<FileFetcherOptions>,
    become(next: SourceState) {
      state = next
      secure.setSecureContext(certificates[next.certificate ?? 'good'])
      plain.set('/feed.csv', next.route ?? {})
    },
    openSockets: () => sockets.size + plain.openSockets(),
    requests: () => plain.requests.length,
    async close() {
      await plain.close()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => front.close(resolve))
    },
  }
}

/** Responds with raw bytes on the socket. */
export function raw(write: (socket: Socket) => void): RequestListener {
  return ({ socket }) => write(socket)
}

/** Sends the result of `next` every few milliseconds until the client closes the connection. */
export function drip(next: () => string | Uint8Array, everyMs = 10): RequestListener {
  return raw((socket) => {
    const timer = setInterval(() => socket.write(next()), everyMs)
    socket.on('close', () => clearInterval(timer))
  })
}

/** Sends endlessly, as fast as the client reads. */
export function pour(head: string, chunk: Uint8Array): RequestListener {
  return raw((socket) => {
    const push = () => {
      while (!socket.destroyed && socket.write(chunk)) continue
    }
    socket.on('drain', push)
    socket.write(head)
    push()
  })
}
