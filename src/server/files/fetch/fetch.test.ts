import type { RequestListener } from 'node:http'
import { type Socket, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readAll } from '../../testing/fixtures/file-fixtures'
import { type SourceServer, startSourceServer } from '../../testing/servers/source-server'
import { createLocalFetcher, failureOf, fetchContent } from '../../testing/stages/fetching'
import type { FileFetcher } from './fetch'
import type { HostGate } from './host-gate'

const CSV = 'sku,name\n1,Shirt\n2,Shoes\n'
let server: SourceServer
let fetcher: FileFetcher

beforeEach(async () => {
  server = await startSourceServer()
  fetcher = createLocalFetcher(server)
})
afterEach(async () => {
  await fetcher.close()
  await server.close()
})

const fetchPath = (path: string, from: FileFetcher = fetcher, hosts?: HostGate) =>
  fetchContent(from, server.url(path), { ...(hosts && { hosts }) })

/** The error of fetching a file and reading its body. */
const failureAt = (path: string, from?: FileFetcher) =>
  failureOf(fetchPath(path, from).then(({ body }) => readAll(body)))

const raw = (write: (socket: Socket) => void): RequestListener => {
  return (request) => write(request.socket)
}

describe('a fetched feed', () => {
  it('has the bytes and the validators of the response', async () => {
    server.set('/a.csv', {
      body: CSV,
      etag: 'W/"1"',
      lastModified: 'Tue, 01 Jul 2025 10:00:00 GMT',
    })
    const response = await fetchPath('/a.csv')
    expect((await readAll(response.body)).toString()).toBe(CSV)
    expect(response).toMatchObject({
      etag: 'W/"1"',
      lastModified: 'Tue, 01 Jul 2025 10:00:00 GMT',
      compression: 'none',
      finalUrl: server.url('/a.csv'),
    })
  })

  it('is requested with the headers of our fetcher', async () => {
    server.set('/a.csv', { body: CSV })
    await readAll((await fetchPath('/a.csv')).body)
    expect(server.requests[0]?.headers).toMatchObject({
      'user-agent': 'Stockbridge/1 (+inventory feed fetcher)',
      accept: 'text/csv, text/plain;q=0.9, */*;q=0.5',
      'accept-encoding': 'gzip, identity',
    })
  })

  it('is unchanged when the server responds 304 to its own validator', async () => {
    server.set('/a.csv', { body: CSV, etag: 'W/"odd"' })
    const { signal } = new AbortController()
    const request = { url: server.url('/a.csv'), etag: 'W/"odd"', lastModified: null, signal }
    expect(await fetcher.fetch(request)).toEqual({ kind: 'unchanged' })
    expect(server.requests[0]?.headers['if-none-match']).toBe('W/"odd"')
  })

  it('is decompressed when the transfer or the file itself is gzip', async () => {
    server.set('/encoded.csv', { body: CSV, gzip: true })
    server.set('/file.csv.gz', { body: gzipSync(CSV) })
    for (const path of ['/encoded.csv', '/file.csv.gz']) {
      const response = await fetchPath(path)
      expect(response.compression).toBe('gzip')
      expect((await readAll(response.body)).toString()).toBe(CSV)
    }
  })

  it('is found through redirects', async () => {
    server.set('/1', { status: 301, headers: { location: '/2' } })
    server.set('/2', { status: 307, headers: { location: server.url('/a.csv') } })
    server.set('/a.csv', { body: CSV })
    const response = await fetchPath('/1')
    expect(response.finalUrl).toBe(server.url('/a.csv'))
    expect((await readAll(response.body)).toString()).toBe(CSV)
  })
})

describe('a response without a feed', () => {
  for (const status of [204, 206, 304, 401, 403, 404, 410, 429, 500, 503]) {
    it(`is refused with an error that names its status ${status}`, async () => {
      server.set('/a.csv', { status, body: status === 204 || status === 304 ? '' : 'no' })
      const error = await failureAt('/a.csv')
      expect(error.code).toBe('http-status')
      expect(error.message).toContain(`The server answered ${status}`)
    })
  }

  it('may have a Retry-After in seconds or as a date, which the error carries', async () => {
    const from = createLocalFetcher(server, { now: () => Date.parse('2025-07-01T10:00:00Z') })
    server.set('/s', { status: 503, headers: { 'retry-after': '120' } })
    server.set('/d', { status: 429, headers: { 'retry-after': 'Tue, 01 Jul 2025 10:05:00 GMT' } })
    server.set('/x', { status: 429, headers: { 'retry-after': 'soon' } })
    expect((await failureAt('/s', from)).retryAfterMs).toBe(120_000)
    expect((await failureAt('/d', from)).retryAfterMs).toBe(300_000)
    expect((await failureAt('/x', from)).retryAfterMs).toBeUndefined()
  })

  it('is refused after five redirects', async () => {
    server.set('/loop', { status: 302, headers: { location: '/loop' } })
    expect((await failureAt('/loop')).code).toBe('too-many-redirects')
    expect(server.requests).toHaveLength(6)
  })

  it('is refused when it redirects to a forbidden or invalid address', async () => {
    const targets = {
      'http://127.0.0.1:1/': 'address-refused',
      'http://169.254.169.254/latest/meta-data': 'address-refused',
      'http://[::1]/': 'address-refused',
      'ftp://example.com/a.csv': 'bad-redirect',
      'http://user:secret@example.com/': 'bad-redirect',
      'http://[': 'bad-redirect',
    }
    for (const [location, code] of Object.entries(targets)) {
      server.set('/r', { status: 302, headers: { location } })
      expect({ location, code: (await failureAt('/r')).code }).toEqual({ location, code })
    }
    server.set('/r', { status: 302 })
    expect((await failureAt('/r')).code).toBe('bad-redirect')
  })

  it('is refused when it is not HTTP, or the connection is closed before it', async () => {
    server.set('/junk', { handler: raw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')) })
    server.set('/cut', { handler: raw((socket) => socket.destroy()) })
    expect((await failureAt('/junk')).code).toBe('bad-answer')
    expect((await failureAt('/cut')).code).toBe('connection-lost')
  })

  it('is refused when it is not compressed with gzip, or compressed twice', async () => {
    server.set('/br', { body: CSV, headers: { 'content-encoding': 'br' } })
    server.set('/two', { body: gzipSync(CSV), gzip: true })
    server.set('/nested', { body: gzipSync(gzipSync(CSV)) })
    for (const path of ['/br', '/two', '/nested']) {
      expect((await failureAt(path)).code).toBe('unknown-compression')
    }
  })
})

describe('a failing transfer', () => {
  const body = 'x'.repeat(1_000)

  it('is truncated when it ends before its length, its last chunk or its gzip trailer', async () => {
    server.set('/length', {
      handler: raw((socket) =>
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${body}`),
      ),
    })
    server.set('/chunks', {
      handler: raw((socket) =>
        socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3e8\r\n${body}\r\n`),
      ),
    })
    server.set('/reset', {
      handler: (_request, response) => {
        response.writeHead(200, { 'content-length': '5000' })
        response.write(body, () => response.socket?.resetAndDestroy())
      },
    })
    server.set('/gzip', { body: gzipSync(CSV.repeat(100)).subarray(0, 60) })
    for (const path of ['/length', '/chunks', '/reset', '/gzip']) {
      expect({ path, code: (await failureAt(path)).code }).toEqual({ path, code: 'truncated' })
    }
  })

  it('is refused when its gzip is damaged or expands too much', async () => {
    const damaged = gzipSync(CSV.repeat(1_000))
    damaged.fill(0xaa, 20, 60)
    server.set('/damaged', { body: damaged })
    server.set('/bomb', { body: gzipSync(Buffer.alloc(4 * 1024 * 1024)) })
    expect((await failureAt('/damaged')).code).toBe('gzip-damaged')
    expect((await failureAt('/bomb')).code).toBe('compression-bomb')
  })

  it('is refused when it exceeds the maximum size, announced or not', async () => {
    const from = createLocalFetcher(server, { maxBytes: 100_000 })
    server.set('/announced', {
      handler: raw((socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999999999\r\n\r\na'),
      ),
    })
    server.set('/endless', {
      handler: (_request, response) => {
        const push = () => {
          while (response.write(body)) if (response.destroyed) return
          response.once('drain', push)
        }
        push()
      },
    })
    const inflating = Buffer.from(Array.from({ length: 200_000 }, (_, i) => 32 + ((i * i) % 90)))
    server.set('/inflating', { body: gzipSync(inflating) })
    for (const path of ['/announced', '/endless', '/inflating']) {
      const fetching = fetchContent(from, server.url(path), { maxBytes: 100_000 })
      const failure = await failureOf(fetching.then(({ body: sent }) => readAll(sent)))
      expect({ path, code: failure.code }).toEqual({
        path,
        code: 'too-large',
      })
    }
  })

  it('times out in every phase', async () => {
    const timeouts = { headersMs: 60, idleMs: 60, totalMs: 5_000 }
    const from = createLocalFetcher(server, { timeouts })
    server.set('/silent', { handler: () => {} })
    server.set('/stops', {
      handler: (_request, response) => void response.writeHead(200).write(body),
    })
    expect((await failureAt('/silent', from)).message).toBe('The server did not answer in time.')
    expect((await failureAt('/stops', from)).message).toContain('stopped sending')
    const dripping = createLocalFetcher(server, {
      timeouts: { slowWindowMs: 40, minBytesPerSecond: 1_024, idleMs: 1_000 },
    })
    server.set('/drips', { handler: drip })
    expect((await failureAt('/drips', dripping)).message).toContain('less than 1 KB a second')
    const short = createLocalFetcher(server, { timeouts: { totalMs: 60 } })
    expect((await failureAt('/drips', short)).message).toContain('did not arrive within')
  })

  it('is reported when the connection is refused', async () => {
    const closed = createServer()
    const port = await new Promise<number>((resolve) => {
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port))
    })
    await new Promise((resolve) => {
      closed.close(resolve)
    })
    const from = createLocalFetcher(server, { allow: ['127.0.0.1'] })
    const { signal } = new AbortController()
    const error = await failureOf(from.fetch({ url: `http://127.0.0.1:${port}/`, signal }))
    expect(error).toMatchObject({
      code: 'connect-failed',
      message: 'The server refused the connection. Check the address and its port.',
    })
  })

  it('is reported when the server does not support TLS', async () => {
    const { signal } = new AbortController()
    const error = await failureOf(fetcher.fetch({ url: `https://${server.host}/`, signal }))
    expect(error.code).toBe('tls')
  })
})

const drip: RequestListener = (_request, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('x'), 5)
  response.on('close', () => clearInterval(timer))
}
