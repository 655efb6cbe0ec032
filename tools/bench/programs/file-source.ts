// Serves one file over HTTP, from so many addresses: with another first cell in each response, or
// unchanged with an ETag.
import { once } from 'node:events'
import { createReadStream, openSync, readSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'

import { COUNTER } from '../inventory-file'

/** What has been requested since the last report. */
export type SourceReport = { requests: number; conditional: number; bodyBytes: number }

const READ_BYTES = 1024 * 1024
const ETAG = '"unchanged"'

const [file = '', addresses = '1'] = process.argv.slice(2)
const { size } = statSync(file)
const counterAt = findCounter()
let served = 0
let report: SourceReport = { requests: 0, conditional: 0, bodyBytes: 0 }

const server = createServer(answer).listen(0, '127.0.0.1', () => void beReady())
process.on('message', () => {
  process.send?.(report)
  report = { requests: 0, conditional: 0, bodyBytes: 0 }
})
process.on('disconnect', () => process.exit())

async function beReady(): Promise<void> {
  const { port } = server.address() as AddressInfo
  for (let number = 2; number <= Number(addresses); number += 1) {
    await once(createServer(answer).listen(port, `127.0.0.${number}`), 'listening')
  }
  process.send?.({ port })
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const isChanging = request.url?.startsWith('/changing') ?? false
  const condition = request.headers['if-none-match']
  report.requests += 1
  if (condition !== undefined) report.conditional += 1
  if (!isChanging && condition === ETAG) {
    response.writeHead(304, { etag: ETAG }).end()
    return
  }
  report.bodyBytes += size
  const headers = { 'content-type': 'text/csv', 'content-length': size }
  response.writeHead(200, isChanging ? headers : { ...headers, etag: ETAG })
  // A client that goes away is its own affair.
  pipeline(Readable.from(isChanging ? readChanged() : read()), response, () => undefined)
}

/** The first cell of the second line. */
function findCounter(): number {
  const head = Buffer.alloc(1_000)
  readSync(openSync(file, 'r'), head)
  return head.indexOf('\n') + 1
}

const read = () => createReadStream(file, { highWaterMark: READ_BYTES })

async function* readChanged() {
  served += 1
  const counter = Buffer.from(`${served}`.padStart(COUNTER.length, '9'))
  let isFirst = true
  for await (const chunk of read() as AsyncIterable<Buffer>) {
    if (isFirst) counter.copy(chunk, counterAt)
    isFirst = false
    yield chunk
  }
}
