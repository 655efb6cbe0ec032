import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type ReceivedRequest = { path: string; headers: IncomingHttpHeaders; body: string }

export type HookServer = {
  url: string
  host: string
  received: ReceivedRequest[]
  /** The statuses of the next answers; then 200. */
  answer(...statuses: number[]): void
  /** Whether requests are received but not answered. */
  hold(isHeld: boolean): void
  close(): Promise<void>
}

/** Starts a real HTTP server on loopback that receives webhooks. */
export async function startHookServer(): Promise<HookServer> {
  const received: ReceivedRequest[] = []
  const statuses: number[] = []
  let isHeld = false
  const answerNext = (response: ServerResponse) =>
    // The address of a redirect is one that nobody answers.
    response.writeHead(statuses.shift() ?? 200, { location: 'http://127.0.0.1:1/' }).end('answer')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      })
      if (!isHeld) answerNext(response)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}/hook`,
    host,
    received,
    answer: (...next) => void statuses.push(...next),
    hold(held) {
      isHeld = held
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
