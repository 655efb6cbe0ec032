import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { closeServer, listenOnLoopback } from '../../server/testing/servers/loopback'

/** A file that was received whole. */
export interface ReceivedFile {
  path: string
  headers: IncomingMessage['headers']
  sizeBytes: number
  sha256: string
}

export type FileReceiver = Awaited<ReturnType<typeof startFileReceiver>>

/** Starts a web server on loopback that takes files of any size. */
export async function startFileReceiver() {
  const received: ReceivedFile[] = []
  /** Those of which at least the beginning has come. */
  const begun: IncomingMessage['headers'][] = []
  let bytes = 0
  let answer = async (response: ServerResponse, _file: ReceivedFile) =>
    void response.writeHead(201).end()
  async function receive(request: IncomingMessage, response: ServerResponse) {
    begun.push(request.headers)
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const piece of request as AsyncIterable<Buffer>) {
      hash.update(piece)
      sizeBytes += piece.length
      bytes += piece.length
    }
    const { url: path = '', headers } = request
    const file = { path, headers, sizeBytes, sha256: hash.digest('hex') }
    received.push(file)
    await answer(response, file)
  }
  const server = createServer((request, response) => {
    // The sender may die in the middle.
    receive(request, response).catch(() => undefined)
  })
  const host = `127.0.0.1:${await listenOnLoopback(server)}`
  return {
    host,
    url: `http://${host}/in/`,
    received,
    begun,
    bytes: () => bytes,
    /** What it does from now on once it has all of a file, instead of answering 201. */
    onFile: (next: typeof answer) => void (answer = next),
    close: () => closeServer(server),
  }
}
