import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A network to the product that can fail. */
export type Cable = {
  /** Where the product answers through it. */
  url: string
  /** Breaks what is connected, and lets nothing through from now on. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function openCable(productUrl: string): Promise<Cable> {
  const { port } = new URL(productUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy()
      return
    }
    const inward = connect(Number(port), '127.0.0.1')
    for (const end of [socket, inward]) {
      sockets.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        inward.destroy()
      })
    }
    socket.pipe(inward).pipe(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      breakAll()
    },
    mend() {
      isCut = false
    },
    async close() {
      breakAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
