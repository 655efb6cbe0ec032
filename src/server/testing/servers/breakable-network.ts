import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

const OVERLOADED =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/** A TCP proxy in front of an HTTP server that can be interrupted. */
export type BreakableNetwork = {
  /** The server's URL through the proxy. */
  url: string
  /** Closes all connections and refuses new ones. */
  break(): void
  /** Answers every request with 503. */
  answer503(): void
  /** Takes requests and does not answer. */
  stall(): void
  /** Closes each connection after so many bytes in either direction. */
  cutAfter(bytes: number): void
  repair(): void
  close(): Promise<void>
}

export async function openBreakableNetwork(serverUrl: string): Promise<BreakableNetwork> {
  const { port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let isBroken = false
  let isOverloaded = false
  let isStalled = false
  let cutAfterBytes = Infinity
  const server = createServer((socket) => {
    if (isBroken) {
      socket.destroy()
      return
    }
    if (isOverloaded) {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(OVERLOADED))
      return
    }
    if (isStalled) {
      sockets.add(socket.on('error', () => undefined))
      return
    }
    const upstream = connect(Number(port), '127.0.0.1')
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        upstream.destroy()
      })
    }
    let bytes = 0
    for (const end of [socket, upstream]) {
      end.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > cutAfterBytes) end.destroy()
      })
    }
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const closeConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    break() {
      isBroken = true
      closeConnections()
    },
    answer503() {
      isOverloaded = true
      closeConnections()
    },
    stall() {
      isStalled = true
      closeConnections()
    },
    cutAfter(count) {
      cutAfterBytes = count
      closeConnections()
    },
    repair() {
      isBroken = false
      isOverloaded = false
      isStalled = false
      closeConnections()
      cutAfterBytes = Infinity
    },
    async close() {
      closeConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
