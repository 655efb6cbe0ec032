import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'

import { closeServer, listenOnLoopback } from './loopback'

export type EgressProxyServer = Awaited<ReturnType<typeof startEgressProxy>>

export interface EgressProxyOptions {
  login?: string
  refuse?: (target: string) => number | undefined
  /** With which it speaks TLS; for `localhost`. */
  certificate?: { key: string; cert: string }
}

/**
 * Starts a proxy as houses have for what leaves them: it connects (CONNECT) clients that sign in with where they ask
 * for. Here all addresses lead to this machine.
 * @param login `user:password` that is demanded
 * @param refuse the status by which a target is refused, if it is
 */
export async function startEgressProxy({
  login,
  refuse = () => undefined,
  certificate,
}: EgressProxyOptions = {}) {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const expected = login && `Basic ${Buffer.from(login).toString('base64')}`
  const decline: RequestListener = (_request, response) => response.writeHead(400).end()
  const server = certificate ? createTlsServer(certificate, decline) : createServer(decline)
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  server.on(certificate ? 'secureConnection' : 'connection', track)
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    asked.push(url)
    const isKnown = !expected || headers['proxy-authorization'] === expected
    const status = isKnown ? refuse(url) : 407
    if (status !== undefined) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const target = connect(Number(new URL(`tcp://${url}`).port), '127.0.0.1')
    track(target)
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(target).pipe(client)
    })
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
    return undefined
  })
  await listenOnLoopback(server)
  const { port } = server.address() as AddressInfo
  return {
    url: `${certificate ? 'https' : 'http'}://${login ? `${login}@` : ''}localhost:${port}`,
    /** Where clients asked to be connected to. */
    asked,
    async close() {
      for (const socket of sockets) socket.destroy()
      await closeServer(server)
    },
  }
}
