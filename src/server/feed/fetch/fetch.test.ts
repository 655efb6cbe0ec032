import type { RequestListener } from 'node:http'
import { type Socket, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { readAll } from '../../testing/feed-fixtures'
import { type FeedServer, startFeedServer } from '../../testing/feed-server'
import { FeedError } from '../feed-error'
import { type FeedFetcher, type FeedFetcherOptions, createFeedFetcher } from './fetch'
import type { HostGate } from './host-gate'

const CSV = 'sku,name\n1,Shirt\n2,Shoes\n'

let server: FeedServer
let fetcher: FeedFetcher

function createFetcher(options: Partial<FeedFetcherOptions> = {}): FeedFetcher {
  return createFeedFetcher({
    now: Date.now,

    allow: [server.host],
    maxBytes: 8 * 1024 * 1024,
    ...options,
  })
}

beforeEach(async () => {
  server = await startFeedServer()
  fetcher = createFetcher()
})
afterEach(async () => {
  await fetcher.close()
  await server.close()
})

async function fetchContent(path: string, from: FeedFetcher = fetcher, hosts?: HostGate) {
  const { signal } = new AbortController()
  const answer = await from.fetch({ url: server.url(path), signal, hosts })
  if (answer.kind !== 'content') throw new Error('Content was expected')
  return answer
}

async function failureOf(work: Promise<unknown>): Promise<FeedError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof FeedError)) throw new Error(`No FeedError but ${String(error)}`)
  return error
}

/** Fetches and reads all, wherever that fails. */
const failureAt = (path: string, from?: FeedFetcher) =>
  failureOf(fetchContent(path, from).then(({ body }) => readAll(body)))

const raw = (write: (socket: Socket) => void): RequestListener => {
  return (request) => write(request.socket)
}

describe('a feed that is there', () => {
  it('comes with its validators, byte for byte', async () => {
    server.set('/a.csv', {
      body: CSV,
      etag: 'W/"1"',
      lastModified: 'Tue, 01 Jul 2025 10:00:00 GMT',
    })
    const answer = await fetchContent('/a.csv')
    expect((await readAll(answer.body)).toString()).toBe(CSV)
    expect(answer).toMatchObject({
      etag: 'W/"1"',
      lastModified: 'Tue, 01 Jul 2025 10:00:00 GMT',
      compression: 'none',
      finalUrl: server.url('/a.csv'),
    })
  })

  it('is asked for with our headers', async () => {
    server.set('/a.csv', { body: CSV })
    await readAll((await fetchContent('/a.csv')).body)
    expect(server.requests[0]?.headers).toMatchObject({
      'user-agent': 'Stockbridge/1 (+inventory feed fetcher)',
      accept: 'text/csv, text/plain;q=0.9, */*;q=0.5',
      'accept-encoding': 'gzip, identity',
    })
  })

  it('is unchanged when a validator still holds, sent back as it came', async () => {
    server.set('/a.csv', { body: CSV, etag: 'W/"odd"' })
    const { signal } = new AbortController()
    const request = { url: server.url('/a.csv'), etag: 'W/"odd"', lastModified: null, signal }
    expect(await fetcher.fetch(request)).toEqual({ kind: 'unchanged' })
    expect(server.requests[0]?.headers['if-none-match']).toBe('W/"odd"')
  })

  it('is decompressed, whether the server or the file says gzip', async () => {
    server.set('/encoded.csv', { body: CSV, gzip: true })
    server.set('/file.csv.gz', { body: gzipSync(CSV) })
    for (const path of ['/encoded.csv', '/file.csv.gz']) {
      const answer = await fetchContent(path)
      expect(answer.compression).toBe('gzip')
      expect((await readAll(answer.body)).toString()).toBe(CSV)
    }
  })

  it('is found behind redirects', async () => {
    server.set('/1', { status: 301, headers: { location: '/2' } })
    server.set('/2', { status: 307, headers: { location: server.url('/a.csv') } })
    server.set('/a.csv', { body: CSV })
    const answer = await fetchContent('/1')
    expect(answer.finalUrl).toBe(server.url('/a.csv'))
    expect((await readAll(answer.body)).toString()).toBe(CSV)
  })
})

describe('answers that are no feed', () => {
  for (const status of [204, 206, 304, 401, 403, 404, 410, 429, 500, 503]) {
    it(`names status ${status}`, async () => {
      server.set('/a.csv', { status, body: status === 204 || status === 304 ? '' : 'no' })
      const error = await failureAt('/a.csv')
      expect(error.code).toBe('http-status')
      expect(error.message).toContain(`The server answered ${status}`)
    })
  }

  it('keeps what the server asks us to wait, in seconds or as a date', async () => {
    const from = createFetcher({ now: () => Date.parse('2025-07-01T10:00:00Z') })
    server.set('/s', { status: 503, headers: { 'retry-after': '120' } })
    server.set('/d', { status: 429, headers: { 'retry-after': 'Tue, 01 Jul 2025 10:05:00 GMT' } })
    server.set('/x', { status: 429, headers: { 'retry-after': 'soon' } })
    expect((await failureAt('/s', from)).retryAfterMs).toBe(120_000)
    expect((await failureAt('/d', from)).retryAfterMs).toBe(300_000)
    expect((await failureAt('/x', from)).retryAfterMs).toBeUndefined()
  })

  it('gives up after five redirects', async () => {
    server.set('/loop', { status: 302, headers: { location: '/loop' } })
    expect((await failureAt('/loop')).code).toBe('too-many-redirects')
    expect(server.requests).toHaveLength(6)
  })

  it('judges every redirect', async () => {
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

  it('names an answer that is no HTTP, and one that never comes', async () => {
    server.set('/junk', { handler: raw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')) })
    server.set('/cut', { handler: raw((socket) => socket.destroy()) })
    expect((await failureAt('/junk')).code).toBe('bad-answer')
    expect((await failureAt('/cut')).code).toBe('connection-lost')
  })

  it('refuses compression that was not asked for, and double gzip', async () => {
    server.set('/br', { body: CSV, headers: { 'content-encoding': 'br' } })
    server.set('/two', { body: gzipSync(CSV), gzip: true })
    server.set('/nested', { body: gzipSync(gzipSync(CSV)) })
    for (const path of ['/br', '/two', '/nested']) {
      expect((await failureAt(path)).code).toBe('unknown-compression')
    }
  })
})

describe('transfers that go wrong', () => {
  const body = 'x'.repeat(1_000)

  it('are truncated when the length, the chunks or gzip end too early', async () => {
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

  it('are named when gzip is damaged or grows out of all proportion', async () => {
    const damaged = gzipSync(CSV.repeat(1_000))
    damaged.fill(0xaa, 20, 60)
    server.set('/damaged', { body: damaged })
    server.set('/bomb', { body: gzipSync(Buffer.alloc(4 * 1024 * 1024)) })
    expect((await failureAt('/damaged')).code).toBe('gzip-damaged')
    expect((await failureAt('/bomb')).code).toBe('compression-bomb')
  })

  it('end when more comes than is taken, announced or not', async () => {
    const from = createFetcher({ maxBytes: 100_000 })
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
      expect({ path, code: (await failureAt(path, from)).code }).toEqual({
        path,
        code: 'too-large',
      })
    }
  })

  it('time out in every phase', async () => {
    const timeouts = { headersMs: 60, idleMs: 60, totalMs: 5_000 }
    const from = createFetcher({ timeouts })
    server.set('/silent', { handler: () => {} })
    server.set('/stops', {
      handler: (_request, response) => void response.writeHead(200).write(body),
    })
    expect((await failureAt('/silent', from)).message).toBe('The server did not answer in time.')
    expect((await failureAt('/stops', from)).message).toContain('stopped sending')
    const dripping = createFetcher({
      timeouts: { slowWindowMs: 40, minBytesPerSecond: 1_024, idleMs: 1_000 },
    })
    server.set('/drips', { handler: drip })
    expect((await failureAt('/drips', dripping)).message).toContain('less than 1 KB a second')
    const short = createFetcher({ timeouts: { totalMs: 60 } })
    expect((await failureAt('/drips', short)).message).toContain('did not arrive within')
  })

  it('refuses where nobody listens', async () => {
    const closed = createServer()
    const port = await new Promise<number>((resolve) => {
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port))
    })
    await new Promise((resolve) => {
      closed.close(resolve)
    })
    const from = createFetcher({ allow: ['127.0.0.1'] })
    const { signal } = new AbortController()
    const error = await failureOf(from.fetch({ url: `http://127.0.0.1:${port}/`, signal }))
    expect(error).toMatchObject({
      code: 'connect-failed',
      message: 'The server refused the connection. Check the address and its port.',
    })
  })

  it('names a server that speaks no TLS', async () => {
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

describe('giving up', () => {
  it('ends with the reason of the signal and closes the connection, before and after headers', async () => {
    for (const handler of [() => {}, drip] as RequestListener[]) {
      const seen = Promise.withResolvers<void>()
      server.set('/slow', {
        handler: (request, response) => {
          handler(request, response)
          response.on('close', () => seen.resolve())
        },
      })
      const abort = new AbortController()
      const work = fetcher
        .fetch({ url: server.url('/slow'), signal: abort.signal })
        .then((answer) => (answer.kind === 'content' ? readAll(answer.body) : undefined))
      setTimeout(() => abort.abort(new Error('changed my mind')), 30)
      await expect(work).rejects.toThrow('changed my mind')
      await seen.promise
    }
  })

  for (const leave of ['in its loop', 'unread'] as const) {
    it(`closes the connection when the body is left ${leave}`, async () => {
      const closed = Promise.withResolvers<void>()
      server.set('/drips', {
        handler: (request, response) => {
          drip(request, response)
          response.on('close', () => closed.resolve())
        },
      })
      const { body } = await fetchContent('/drips')
      if (leave === 'unread') body.destroy()
      else for await (const chunk of body) if (chunk.length > 0) break
      await closed.promise
      expect(server.requests).toHaveLength(1)
    })
  }

  it('ends everything when the fetcher closes', async () => {
    server.set('/silent', { handler: () => {} })
    const work = failureAt('/silent')
    await fetcher.close()
    expect((await work).message).toBe('The server is shutting down.')
  })
})

const countResources = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'TCPSocketWrap')
    .length

describe('what a fetch leaves behind', () => {
  it('is nothing: no socket, no timer, however it ended', async () => {
    server.set('/a.csv', { body: CSV })
    server.set('/stops', {
      handler: (_request, response) => void response.writeHead(200).write('x'),
    })
    server.set('/loop', { status: 302, headers: { location: '/loop' } })
    await readAll((await fetchContent('/a.csv')).body)
    const before = countResources()
    const from = createFetcher({ timeouts: { idleMs: 300 } })
    await readAll((await fetchContent('/a.csv', from)).body)
    await Promise.all(['/missing', '/stops', '/loop'].map((path) => failureAt(path, from)))
    const left = await fetchContent('/a.csv', from)
    left.body.destroy()
    await vi.waitFor(() => {
      expect(server.openSockets()).toBe(0)
      expect(countResources()).toBeLessThanOrEqual(before)
    })
    await from.close()
  })
})

describe('the turn at a host', () => {
  /** Who entered and left, in order. */
  let seen: string[]
  const gate: HostGate = {
    enter: async (host) => {
      seen.push(`enter ${host}`)
      return () => void seen.push(`leave ${host}`)
    },
  }
  beforeEach(() => (seen = []))

  it('is waited for before a request, and given back when the body ends', async () => {
    server.set('/a.csv', { body: CSV })
    const { body } = await fetchContent('/a.csv', fetcher, gate)
    expect(seen).toEqual([`enter ${server.host}`])
    await readAll(body)
    expect(seen).toEqual([`enter ${server.host}`, `leave ${server.host}`])
  })

  it('is given back when a body is given up, and after a failure', async () => {
    server.set('/a.csv', { body: CSV })
    const { body } = await fetchContent('/a.csv', fetcher, gate)
    body.destroy()
    await expect.poll(() => seen).toContain(`leave ${server.host}`)
    expect((await failureOf(fetchContent('/missing', fetcher, gate))).code).toBe('http-status')
    expect(seen.slice(2)).toEqual([`enter ${server.host}`, `leave ${server.host}`])
  })

  it('is given back at one host before a redirect waits at the next', async () => {
    const next = await startFeedServer()
    next.set('/b.csv', { body: CSV })
    server.set('/a.csv', { status: 302, headers: { location: next.url('/b.csv') } })
    const from = createFetcher({ allow: [server.host, next.host] })
    await readAll((await fetchContent('/a.csv', from, gate)).body)
    await next.close()
    const hops = [server, next].flatMap(({ host }) => [`enter ${host}`, `leave ${host}`])
    expect(seen).toEqual(hops)
  })

  it('ends the request of one that waits for it and gives up', async () => {
    const shut: HostGate = {
      enter: (_host, waiting) =>
        new Promise((_resolve, reject) => {
          waiting.addEventListener('abort', () => reject(waiting.reason as Error))
        }),
    }
    const abort = new AbortController()
    const waiting = fetcher.fetch({
      url: server.url('/a.csv'),
      hosts: shut,
      signal: abort.signal,
    })
    abort.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(server.requests).toHaveLength(0)
  })
})
