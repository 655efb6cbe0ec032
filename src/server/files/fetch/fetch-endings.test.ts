import type { RequestListener } from 'node:http'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

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

const drip: RequestListener = (_request, response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('x'), 5)
  response.on('close', () => clearInterval(timer))
}

describe('aborting a fetch', () => {
  it('rejects with the reason of the signal and closes the connection, before and after headers', async () => {
    for (const handler of [() => {}, drip] as RequestListener[]) {
      const arrived = Promise.withResolvers<void>()
      const closed = Promise.withResolvers<void>()
      server.set('/slow', {
        handler: (request, response) => {
          handler(request, response)
          response.on('close', () => closed.resolve())
          arrived.resolve()
        },
      })
      const abort = new AbortController()
      const work = fetcher
        .fetch({ url: server.url('/slow'), signal: abort.signal })
        .then((response) => (response.kind === 'content' ? readAll(response.body) : undefined))
      const settled = Promise.allSettled([work])
      await arrived.promise
      abort.abort(new Error('changed my mind'))
      expect(await settled).toMatchObject([{ reason: { message: 'changed my mind' } }])
      await closed.promise
    }
  })

  for (const leave of ['left in a loop', 'destroyed unread'] as const) {
    it(`closes the connection when the body is ${leave}`, async () => {
      const closed = Promise.withResolvers<void>()
      server.set('/drips', {
        handler: (request, response) => {
          drip(request, response)
          response.on('close', () => closed.resolve())
        },
      })
      const { body } = await fetchPath('/drips')
      if (leave === 'destroyed unread') body.destroy()
      else for await (const chunk of body) if (chunk.length > 0) break
      await closed.promise
      expect(server.requests).toHaveLength(1)
    })
  }

  it('aborts all requests when the fetcher is closed', async () => {
    server.set('/silent', { handler: () => {} })
    const work = failureAt('/silent')
    await fetcher.close()
    expect((await work).message).toBe('The server is shutting down.')
  })
})

const countResources = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'TCPSocketWrap')
    .length

describe('a finished fetch', () => {
  it('leaves no socket and no timer behind, however it ended', async () => {
    server.set('/a.csv', { body: CSV })
    server.set('/stops', {
      handler: (_request, response) => void response.writeHead(200).write('x'),
    })
    server.set('/loop', { status: 302, headers: { location: '/loop' } })
    await readAll((await fetchPath('/a.csv')).body)
    const before = countResources()
    const from = createLocalFetcher(server, { timeouts: { idleMs: 300 } })
    await readAll((await fetchPath('/a.csv', from)).body)
    await Promise.all(['/missing', '/stops', '/loop'].map((path) => failureAt(path, from)))
    const left = await fetchPath('/a.csv', from)
    left.body.destroy()
    await vi.waitFor(() => {
      expect(server.openSockets()).toBe(0)
      expect(countResources()).toBeLessThanOrEqual(before)
    })
    await from.close()
  })
})

describe('the gate of a host', () => {
  /** The calls of the gate, in order. */
  let seen: string[]
  const gate: HostGate = {
    enter: async (host) => {
      seen.push(`enter ${host}`)
      return () => void seen.push(`leave ${host}`)
    },
  }
  beforeEach(() => (seen = []))

  it('is entered before a request, and left when the body ends', async () => {
    server.set('/a.csv', { body: CSV })
    const { body } = await fetchPath('/a.csv', fetcher, gate)
    expect(seen).toEqual([`enter ${server.host}`])
    await readAll(body)
    expect(seen).toEqual([`enter ${server.host}`, `leave ${server.host}`])
  })

  it('is left when a body is destroyed, and after a failure', async () => {
    server.set('/a.csv', { body: CSV })
    const { body } = await fetchPath('/a.csv', fetcher, gate)
    body.destroy()
    await expect.poll(() => seen).toContain(`leave ${server.host}`)
    expect((await failureOf(fetchPath('/missing', fetcher, gate))).code).toBe('http-status')
    expect(seen.slice(2)).toEqual([`enter ${server.host}`, `leave ${server.host}`])
  })

  it('is not entered again for the first request to a host that has been entered', async () => {
    const next = await startSourceServer()
    server.set('/a.csv', { status: 302, headers: { location: next.url('/b.csv') } })
    next.set('/b.csv', { status: 302, headers: { location: server.url('/c.csv') } })
    server.set('/c.csv', { body: CSV })
    const from = createLocalFetcher(server, { allow: [server.host, next.host] })
    const entered = { hosts: gate, enteredHost: server.host }
    await readAll((await fetchContent(from, server.url('/a.csv'), entered)).body)
    await next.close()
    const hops = [next, server].flatMap(({ host }) => [`enter ${host}`, `leave ${host}`])
    expect(seen).toEqual(hops)
  })

  it('is left at one host before that of a redirect to another is entered', async () => {
    const next = await startSourceServer()
    next.set('/b.csv', { body: CSV })
    server.set('/a.csv', { status: 302, headers: { location: next.url('/b.csv') } })
    const from = createLocalFetcher(server, { allow: [server.host, next.host] })
    await readAll((await fetchPath('/a.csv', from, gate)).body)
    await next.close()
    const hops = [server, next].flatMap(({ host }) => [`enter ${host}`, `leave ${host}`])
    expect(seen).toEqual(hops)
  })

  it('is no longer waited for once the signal fires, and no request is sent', async () => {
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
