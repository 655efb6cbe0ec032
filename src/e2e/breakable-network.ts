import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy in front of the product that can be interrupted. */
export type BreakableNetwork = {
  /** The product's URL through the proxy. */
  url: string
  /** Closes all connections and refuses new ones. */
  break(): void
  repair(): void
  close(): Promise<void>
}

export async function openBreakableNetwork(productUrl: string): Promise<BreakableNetwork> {
  const { port } = new URL(productUrl)
  const sockets = new Set<Socket>()
  let isBroken = false
  const server = createServer((socket) => {
    if (isBroken) {
      socket.destroy()
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
    repair() {
      isBroken = false
    },
    async close() {
      closeConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
