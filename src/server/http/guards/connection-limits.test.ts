import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { openTestApp, type TestApp } from '../../testing/stages/test-app'
import { limitArrival } from './connection-limits'

let sourceServer: SourceServer
let testApp: TestApp
let sockets: Socket[]

beforeEach(async () => {
  sourceServer = await startSourceServer()
  testApp = await openTestApp({ fetchAllow: [sourceServer.host] })
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await testApp.close()
  await sourceServer.close()
})

function open(): Socket {
  const { port } = testApp.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  sockets.push(socket)
  return socket
}

/** Sends raw text and reads until the server has closed the connection. */
async function send(text: string): Promise<string> {
  const socket = open()
  let response = ''
  socket.on('data', (chunk: Buffer) => (response += chunk.toString()))
  socket.write(text)
  await once(socket, 'close')
  return response
}

describe('input that is not valid HTTP', () => {
  it.each([
    ['400 Bad Request', 'The request is not valid', 'HELLO\r\n\r\n'],
    [
      '400 Bad Request',
      'The request is not valid',
      'GET / HTTP/1.1\r\nhost: localhost\r\nbad header\r\n\r\n',
    ],
    [
      '431 Request Header Fields Too Large',
      'The headers are too large',
      `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
  ])('gets a JSON error and the connection is closed: %s', async (status, message, text) => {
    const response = await send(text)
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`))
    expect(response.split('\r\n\r\n')[1]).toBe(JSON.stringify({ message }))
  })
})

describe('the body of a request', () => {
  it('that does not arrive in time is refused', async () => {
    // After the server's own limit, which it takes the place of.
    testApp.app.server.on('request', (request: IncomingMessage) => limitArrival(request, 1))
    const head = 'POST /api/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
    const response = await send(`${head}content-length: 9\r\n\r\n{`)
    expect(response).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
    expect(response).toContain('{"message":"The request took too long"}')
  })
})

describe('connections', () => {
  it('are closed at once above the limit, and accepted again below it', async () => {
    const { server } = testApp.app
    expect(server.maxConnections).toBe(5_000)
    server.maxConnections = 2
    const first = open()
    await Promise.all([once(first, 'connect'), once(open(), 'connect')])
    await expect.poll(countConnections).toBe(2)
    expect(await send('')).toBe('')
    first.destroy()
    await expect.poll(countConnections).toBe(1)
    expect(await send('HELLO\r\n\r\n')).toContain('400 Bad Request')
  })
})

describe('a download', () => {
  const CSV = `sku,name\r\n${'1234,"Boot, brown"\r\n'.repeat(1_000_000)}`
  let request: string

  beforeEach(async () => {
    const { deps } = testApp
    sourceServer.set('/feed.csv', { body: CSV })
    const supplier = await createSupplierUser(deps)
    await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    const { user, id } = await createLinkedRetailer(deps, supplier)
    await deps.work()
    const client = await testApp.signIn(user)
    const { body } = await client.request('GET', `/api/retailers/${id}/latest-file`)
    const { downloadUrl } = body as { downloadUrl: string }
    request = `GET ${downloadUrl} HTTP/1.1\r\nhost: localhost\r\ncookie: ${client.cookie}\r\n\r\n`
  })

  it('is cut off when the client stops reading', async () => {
    expect(testApp.app.server.timeout).toBe(60_000)
    testApp.app.server.timeout = 300
    const socket = open()
    let received = 0
    socket.on('data', (chunk: Buffer) => (received += chunk.length))
    socket.write(request)
    await once(socket, 'data')
    socket.pause()
    await expect.poll(() => countConnections(), { timeout: 20_000 }).toBe(0)
    socket.resume()
    await once(socket, 'close')
    expect(received).toBeGreaterThan(65_536)
    expect(received).toBeLessThan(CSV.length)
  })

  it('is not cut off when the client reads slowly', async () => {
    const limitMs = 1_000
    testApp.app.server.timeout = limitMs
    const socket = open()
    const started = performance.now()
    let received = 0
    socket.write(request)
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received += chunk.length
      if (received >= CSV.length) break
      await sleep(8)
    }
    expect(performance.now() - started).toBeGreaterThan(limitMs)
    expect(received).toBeGreaterThanOrEqual(CSV.length)
  })

  it('contains no error response when the client sends invalid HTTP meanwhile', async () => {
    const socket = open()
    let response = ''
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()))
    socket.write(request)
    await once(socket, 'data')
    socket.write('HELLO\r\n\r\n')
    await once(socket, 'close')
    expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(response).not.toContain('not valid')
  })
})

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    testApp.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
