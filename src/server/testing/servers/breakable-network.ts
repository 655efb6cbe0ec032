import { connect, createServer, type Socket } from 'node:net'

import { listenOnLoopback } from './loopback'

const OVERLOADED =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

export type BreakableNetwork = Awaited<ReturnType<typeof openBreakableNetwork>>

/** A TCP proxy in front of an HTTP server that can be interrupted. */
export async function openBreakableNetwork(serverUrl: string) {
  const { port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let state: 'works' | 'broken' | 'overloaded' | 'stalled' = 'works'
  let cutAfterBytes = Infinity
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (state === 'broken') return void socket.destroy()
    if (state === 'overloaded') return void socket.once('data', () => socket.end(OVERLOADED))
    sockets.add(socket)
    if (state === 'stalled') return undefined
    const upstream = connect(Number(port), '127.0.0.1')
    sockets.add(upstream.on('error', () => undefined))
    let bytes = 0
    for (const end of [socket, upstream]) {
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        upstream.destroy()
      })
      end.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > cutAfterBytes) end.destroy()
      })
    }
    return socket.pipe(upstream).pipe(socket)
  })
  const change = (next: typeof state, cutAfter = Infinity) => {
    state = next
    for (const socket of sockets) socket.destroy()
    cutAfterBytes = cutAfter
  }
  return {
    /** The server's URL through the proxy. */
    url: `http://localhost:${await listenOnLoopback(server)}`,
    /** Closes all connections and refuses new ones. */
    break: () => change('broken'),
    /** Answers every request with 503. */
    answer503: () => change('overloaded'),
    /** Takes requests and does not answer. */
    stall: () => change('stalled'),
    /** Closes each connection after so many bytes in either direction. */
    cutAfter: (bytes: number) => change('works', bytes),
    repair: () => change('works'),
    async close() {
      change('broken')
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
