// Answers GET requests with what another server answers to them: the same headers and bytes from memory,
// or 304 to those who have them, and does nothing else.
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Known = { etag: string | undefined; head: string[]; body: Buffer; unchangedHead: string[] }

/** Node writes these itself. */
const OWN = /^(?:date|connection|keep-alive)$/i
const OF_A_BODY = /^content-/i

const known = new Map<string, Known>()
for (const url of process.argv.slice(2)) known.set(new URL(url).pathname, await read(url))

async function read(url: string): Promise<Known> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, resolve).once('error', reject)
  })
  const pairs = answer.rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && !OWN.test(name) ? [[name, answer.rawHeaders[index + 1] ?? '']] : [],
  )
  return {
    etag: answer.headers.etag,
    head: pairs.flat(),
    body: await buffer(answer),
    unchangedHead: pairs.filter(([name = '']) => !OF_A_BODY.test(name)).flat(),
  }
}

const server = createServer((request, response) => {
  const found = known.get(request.url ?? '')
  if (!found) {
    response.writeHead(404).end()
  } else if (found.etag !== undefined && request.headers['if-none-match'] === found.etag) {
    response.writeHead(304, found.unchangedHead).end()
  } else {
    response.writeHead(200, found.head).end(found.body)
  }
}).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
