import { createHash } from 'node:crypto'
import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'

import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { MINUTE_MS } from '../../../shared/durations'
import { buildApp } from '../../app'
import { engineOf } from '../../db/engine'
import {
  createFeedAddress,
  protectFeedAddresses,
  revokeFeedAddresses,
} from '../../features/distribution/feed-addresses/feed-addresses'
import { updateRetailer } from '../../features/distribution/retailers/retailers'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { openWorld, type World } from '../../testing/stages/world'

/** The file published by `openWorld`. */
const SAMPLE_CSV = 'sku,name,category,quantity\r\n1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'
const LARGE_CSV = SAMPLE_CSV + '3,Sock,Socks,1\r\n'.repeat(500)
const toEtag = (text: string) => `"${createHash('sha256').update(text).digest('hex')}"`

let sourceServer: SourceServer
let world: World
let feed: string
let download: string
/** How many requests the framework has had. */
let handled = 0
const count = () => void (handled += 1)

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  feed = (await createFeedAddress(deps(), world.retailer.user, world.retailer.id)).path
  download = `/api/retailers/${world.retailer.id}/files/${world.fileName}`
  await world.testApp.app.listen({ host: '127.0.0.1', port: 0 })
  diagnostics.subscribe('tracing:fastify.request.handler:start', count)
})
afterEach(async () => {
  diagnostics.unsubscribe('tracing:fastify.request.handler:start', count)
  await world.testApp.close()
  await sourceServer.close()
})

const deps = () => world.testApp.deps
/** Elsewhere the database is asked for each request. */
const areSessionsRemembered = () => engineOf(deps().db).follower.isImmediate
const cookie = () => `cookie: ${world.clients.ownRetailer.cookie}\r\n`

/** Sends a request on a new connection, and returns all bytes but those of the date and the request's id. */
async function send(app: FastifyInstance, request: string) {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write(request)
  await once(socket, 'close')
  return Buffer.concat(chunks)
    .toString('latin1')
    .replace(/^(date|x-request-id): .*$/gim, '$1: …')
}

const toRequest = (path: string, headers = '', method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}\r\n`

/** Sends a request to the application, and says whether the framework was not needed. */
async function ask(request: string) {
  const before = handled
  const answer = await send(world.testApp.app, request)
  return { answer, isPlain: handled === before }
}

/** Asks an application that remembers nothing yet. */
async function askTheFramework(request: string): Promise<string> {
  const app = await buildApp(deps(), { sessionSecret: 'a secret of thirty-two characters' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const before = handled
  const answer = await send(app, request)
  expect(handled).toBe(before + 1)
  app.server.closeAllConnections()
  await new Promise((resolve) => app.server.close(resolve))
  return answer
}

const CASES: [what: string, headers: string][] = [
  ['without conditions', ''],
  ['that has the file', `if-none-match: ${toEtag(SAMPLE_CSV)}\r\n`],
  ['that has it or another', `if-none-match: "other", W/${toEtag(SAMPLE_CSV)}\r\n`],
  ['that has another file', 'if-none-match: "other"\r\n'],
  ['that has had it since', 'if-modified-since: Thu, 01 Jan 2099 00:00:00 GMT\r\n'],
  ['that takes compressed copies', 'accept-encoding: br, gzip\r\n'],
  ['with an Origin', 'origin: https://shop.example\r\nuser-agent: curl/8\r\n'],
]

describe.each(['GET', 'HEAD'])('a plain read by %s', (method) => {
  it.each(CASES)('%s is answered as the framework does', async (_what, headers) => {
    const paths = [feed, feed.replace('.csv', '.txt'), download]
    for (const path of paths) {
      const own = path === download ? cookie() : ''
      const request = toRequest(path, own + headers, method)
      const warmUp = toRequest(path, own)
      await ask(warmUp)
      await ask(warmUp)
      deps().clock.advance(2_000)
      const { answer, isPlain } = await ask(request)
      expect([path, isPlain]).toEqual([path, path !== download || areSessionsRemembered()])
      expect(answer).toBe(await askTheFramework(request))
      expect(answer).toMatch(/^HTTP\/1\.1 (200|304) /)
    }
  })
})

describe('a plain read', () => {
  it('of a workbook is answered as the framework does, and never with the file of texts', async () => {
    const request = toRequest(feed.replace('.csv', '.xlsx'), 'accept-encoding: br\r\n')
    await ask(toRequest(feed))
    expect((await ask(request)).answer).toMatch(/^HTTP\/1\.1 503/)
    await deps().work()
    await ask(request)
    await ask(request)
    const { answer, isPlain } = await ask(request)
    expect(isPlain).toBe(true)
    expect(answer).toMatch(/content-type: application\/vnd\.openxmlformats/)
    expect(answer).toBe(await askTheFramework(request))
  })

  const warmUp = async (request = toRequest(feed)) => {
    await ask(request)
    await ask(request)
  }

  it('of a larger file is answered with the copy that its reader takes', async () => {
    sourceServer.set('/inventory.csv', { body: LARGE_CSV })
    await deps().db.updateTable('connections').set({ nextSyncAt: deps().clock.now() }).execute()
    deps().clock.advance(25 * 60 * MINUTE_MS)
    await deps().work()
    const request = toRequest(feed, 'accept-encoding: br\r\n')
    await warmUp(request)
    await deps().work()
    await warmUp(request)
    const { answer, isPlain } = await ask(request)
    expect(isPlain).toBe(true)
    expect(answer).toMatch(/content-encoding: br/)
    expect(answer).toBe(await askTheFramework(request))
  })

  it.each([
    ['a range', (path: string) => toRequest(path, 'range: bytes=10-\r\n')],
    ['a precondition', (path: string) => toRequest(path, `if-match: ${toEtag(SAMPLE_CSV)}\r\n`)],
    ['a question', (path: string) => toRequest(`${path}?since=abc`)],
    ['an escape', (path: string) => toRequest(path.replace('.csv', '%2ecsv'))],
    ['another host', (path: string) => toRequest(path).replace('localhost', 'other.example')],
    ['two hosts', (path: string) => toRequest(path, 'host: localhost\r\n')],
    ['a body', (path: string) => toRequest(path, 'content-length: 2\r\n') + 'ab'],
    ['a forwarded host', (path: string) => toRequest(path, 'x-forwarded-host: localhost\r\n')],
    ['HTTP/1.0', (path: string) => toRequest(path).replace('HTTP/1.1', 'HTTP/1.0')],
    ['another method', (path: string) => toRequest(path, '', 'POST')],
  ])('is not one with %s', async (_what, toOther) => {
    await warmUp()
    expect((await ask(toRequest(feed))).isPlain).toBe(true)
    const request = toOther(feed)
    const first = await ask(request)
    const second = await ask(request)
    expect(second.answer).toBe(first.answer)
    // What is refused does not reach a handler of the framework either.
    expect(second.isPlain && /^HTTP\/1\.1 (?:200|304)/.test(second.answer)).toBe(false)
  })

  it('is refused at once when its address is revoked, or what it may see has changed', async () => {
    await warmUp()
    const visibilitySettings = { allProducts: false, categories: ['Hats'] }
    await updateRetailer(deps(), world.supplier, { id: world.retailer.id, visibilitySettings })
    expect((await ask(toRequest(feed))).answer).toMatch(/^HTTP\/1\.1 503/)
    await deps().work()
    expect((await ask(toRequest(feed))).answer).toContain('2,Cap,Hats,0')
    await revokeFeedAddresses(deps(), world.supplier, world.retailer.id)
    expect((await ask(toRequest(feed))).answer).toMatch(/^HTTP\/1\.1 404/)
  })

  it('of a protected address needs its password each time, and obeys each change at once', async () => {
    const protect = async (password: 'new' | 'none') => {
      const change = { id: world.retailer.id, password }
      return (await protectFeedAddresses(deps(), world.retailer.user, change)).password ?? ''
    }
    const withPassword = (password: string) => {
      const pair = Buffer.from(`feed:${password}`).toString('base64')
      return toRequest(feed, `authorization: Basic ${pair}\r\n`)
    }
    await warmUp()
    const password = await protect('new')
    expect((await ask(toRequest(feed))).answer).toMatch(/^HTTP\/1\.1 401/)
    await warmUp(withPassword(password))
    const { answer, isPlain } = await ask(withPassword(password))
    expect([isPlain, answer.slice(0, 12)]).toEqual([true, 'HTTP/1.1 200'])
    expect(answer).toBe(await askTheFramework(withPassword(password)))
    for (const request of [toRequest(feed), withPassword('wrong')]) {
      expect((await ask(request)).answer).toMatch(/^HTTP\/1\.1 401/)
    }
    await protect('none')
    await warmUp()
    expect((await ask(toRequest(feed))).isPlain).toBe(true)
  })

  it('with a session is refused at once when that has ended, and keeps it alive', async () => {
    const request = toRequest(download, cookie())
    await warmUp(request)
    expect((await ask(request)).isPlain).toBe(areSessionsRemembered())
    deps().clock.advance(6 * MINUTE_MS)
    expect((await ask(request)).isPlain).toBe(false)
    await ask(request)
    expect((await ask(request)).isPlain).toBe(areSessionsRemembered())
    await world.clients.ownRetailer.request('POST', '/api/logout')
    expect((await ask(request)).answer).toMatch(/^HTTP\/1\.1 401/)
  })

  it('is for the owner of a session only', async () => {
    await warmUp(toRequest(download, cookie()))
    for (const other of [world.clients.otherRetailer, world.clients.anonymous]) {
      const own = other.cookie ? `cookie: ${other.cookie}\r\n` : ''
      const request = toRequest(download, own)
      await ask(request)
      expect((await ask(request)).answer).toMatch(/^HTTP\/1\.1 40[14]/)
    }
  })

  it('is counted, recorded and limited like any other', async () => {
    await warmUp()
    for (let reads = 2; reads < 120; reads++) await ask(toRequest(feed))
    const { answer, isPlain } = await ask(toRequest(feed))
    expect([isPlain, answer.slice(0, 12)]).toEqual([false, 'HTTP/1.1 429'])
    await deps().pulls.flush()
    const pulls = deps().db.selectFrom('retailerPulls').select('dayCounts')
    expect(await pulls.execute()).toEqual([{ dayCounts: [120] }])
  })

  it('that fails goes on to the framework', async () => {
    await warmUp()
    const recall = vi.spyOn(deps().smallFiles, 'recall').mockImplementation(() => {
      throw new Error('no')
    })
    const { answer, isPlain } = await ask(toRequest(feed))
    expect(recall).toHaveBeenCalled()
    expect([isPlain, answer.slice(0, 12)]).toEqual([false, 'HTTP/1.1 200'])
  })

  it('is refused while the server closes', async () => {
    await warmUp()
    const arrived = new Promise((resolve) => {
      diagnostics.subscribe('http.server.request.start', resolve)
    })
    const slow = connect((world.testApp.app.server.address() as AddressInfo).port, '127.0.0.1')
    slow.on('error', () => undefined)
    slow.write(
      `POST /api/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n`,
    )
    await arrived
    const closing = world.testApp.app.close()
    expect((await ask(toRequest(feed))).answer).toMatch(/^HTTP\/1\.1 503/)
    slow.destroy()
    await closing
  })
})
