import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

import { closeServer, listenOnLoopback } from './loopback'

type ReceivedRequest = { path: string; headers: IncomingMessage['headers']; body: string }

export type HookServer = Awaited<ReturnType<typeof startHookServer>>

/** Starts a real HTTP server on loopback that receives webhooks. */
export async function startHookServer() {
  const received: ReceivedRequest[] = []
  const statuses: number[] = []
  let isHeld = false
  const answerNext = (response: ServerResponse) =>
    // The address of a redirect is one that nobody answers.
    response.writeHead(statuses.shift() ?? 200, { location: 'http://127.0.0.1:1/' }).end('answer')
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers } = request
    received.push({ path, headers, body: await text(request) })
    if (!isHeld) answerNext(response)
  }
  const server = createServer((request, response) => void receive(request, response))
  const host = `127.0.0.1:${await listenOnLoopback(server)}`
  return {
    url: `http://${host}/hook`,
    host,
    received,
    /** The statuses of the next answers; then 200. */
    answer: (...next: number[]) => void statuses.push(...next),
    /** Whether requests are received but not answered. */
    hold: (held: boolean) => void (isHeld = held),
    close: () => closeServer(server),
  }
}
