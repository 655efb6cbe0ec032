import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { definitionOf, procedurePaths } from '../../../api/procedures'
import { makeSample } from '../../fixtures/samples'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { addressOf, apiCalls, typeOf } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { judge, JSON_TYPE, refused } from './hostile'

let sourceServer: SourceServer
let world: World

beforeAll(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

/** Without the stream, which changes nothing by any method. */
const procedures = apiCalls.filter(
  ({ transport, row }) => transport === 'tRPC' && typeOf(row) !== 'subscription',
)

describe.each(procedures)('$name over tRPC', ({ row, actor }) => {
  const isQuery = typeOf(row) !== 'mutation'

  it('is refused with the method of the other type', async () => {
    const { body, url } = addressOf('tRPC', row, await makeSample(row, world, actor))
    const [path = ''] = url.split('?')
    const client = world.clients[actor]
    const asQuery = `${path}?input=${encodeURIComponent(JSON.stringify(body ?? {}))}`
    const call = isQuery
      ? () => client.request('POST', path, '{}', JSON_TYPE)
      : () => client.request('GET', asQuery)
    expect(await judge(world, 'tRPC', call)).toEqual(refused(405))
  })

  it.each(['PUT', 'PATCH', 'DELETE'])('is refused with %s', async (method) => {
    const { url } = addressOf('tRPC', row, await makeSample(row, world, actor))
    const call = () => world.clients[actor].request(method, url, '{}', JSON_TYPE)
    const { status, changedTables } = await judge(world, 'tRPC', call)
    expect([status, changedTables]).toEqual([405, []])
  })
})

describe('an unknown procedure', () => {
  it.each([
    'no.such',
    'session',
    'session.',
    '.login',
    'session.login.more',
    '__proto__',
    'constructor',
    'session.__proto__',
    'session.constructor',
    'session.toString',
    'session.login,',
    '%00',
    'session%2Flogin',
    '%2e%2e',
    'x'.repeat(4_000),
  ])('is refused: %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? '{}' : undefined
      const call = () =>
        world.clients.administrator.request(method, `/trpc/${path}`, body, body && JSON_TYPE)
      const { status, changedTables } = await judge(world, 'tRPC', call)
      expect([method, [400, 404].includes(status), changedTables]).toEqual([method, true, []])
    }
  })
})

describe('a batch', () => {
  it.each([11, 12, 1_000])('of %i calls is refused as a whole', async (count) => {
    const path = `/trpc/${Array(count).fill('session.logout').join(',')}?batch=1`
    const call = () => world.clients.owningSupplier.request('POST', path, '{}', JSON_TYPE)
    const { status, changedTables } = await judge(world, 'tRPC', call)
    expect([count, [400, 414].includes(status), changedTables]).toEqual([count, true, []])
    expect((await world.clients.owningSupplier.request('GET', '/api/user')).status).toBe(200)
  })

  it.each([
    'null',
    '[]',
    '"x"',
    '7',
    '{"0":null}',
    '{"1":{}}',
    '{"-1":{}}',
    '{"__proto__":{}}',
    '{',
  ])('with the inputs %s changes nothing', async (body) => {
    const path = '/trpc/suppliers.create,retailers.update,session.login?batch=1'
    const call = () => world.clients.administrator.request('POST', path, body, JSON_TYPE)
    const { status, changedTables } = await judge(world, 'tRPC', call)
    expect([status < 500, changedTables]).toEqual([true, []])
  })

  it('checks the role for each call', async () => {
    const mutations = procedurePaths.filter((path) => definitionOf(path).type === 'mutation')
    for (let first = 0; first < mutations.length; first += 4) {
      const path = `/trpc/${mutations.slice(first, first + 4).join(',')}?batch=1`
      const call = () => world.clients.deactivated.request('POST', path, '{}', JSON_TYPE)
      const { status, changedTables } = await judge(world, 'tRPC', call)
      expect([[200, 207, 400, 401].includes(status), changedTables]).toEqual([true, []])
    }
  })
})

describe('an input of a query', () => {
  it.each(['%7B', '%7B%22id%22%3A', 'undefined', '%FF', '%00', 'null', '[]', '7', '1e400', '"x"'])(
    'is refused as %s',
    async (input) => {
      const path = `/trpc/retailers.latestFile?input=${input}`
      const call = () => world.clients.owningSupplier.request('GET', path)
      expect(await judge(world, 'tRPC', call)).toEqual(refused(400))
    },
  )
})

describe('input that is not valid HTTP', () => {
  let port: number

  beforeAll(async () => {
    await world.testApp.app.listen({ host: '127.0.0.1', port: 0 })
    port = (world.testApp.app.server.address() as AddressInfo).port
  })

  /** Everything the server sends until it closes the connection. */
  async function talk(text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    let response = ''
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.write(text, 'latin1')
    await once(socket, 'close')
    return response
  }

  const head =
    'POST /api/logout HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n'

  const HOST = 'Host: localhost\r\n'
  const CLOSE = 'Connection: close\r\n'
  const CHUNKED = 'Transfer-Encoding: chunked\r\n'
  const CHUNKS = '2\r\n{}\r\n0\r\n\r\n'

  it.each([
    ['no request line', 'hello\r\n\r\n', 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: localhost\r\n: y\r\n\r\n', 400],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: localhost\r\nA: b\u0000c\r\n\r\n', 400],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n', 400],
    [
      'headers of 20 KB',
      `GET / HTTP/1.1\r\nHost: localhost\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    ['an invalid length', `${head}Content-Length: -1\r\n\r\n`, 400],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    [
      'a length and chunks, as in request smuggling',
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['invalid chunks', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`, 400],
    ['two hosts', `GET /healthz HTTP/1.1\r\n${HOST}host: b\r\n${CLOSE}\r\n`, 400],
    ['the same host twice', `GET /healthz HTTP/1.1\r\n${HOST}${HOST}${CLOSE}\r\n`, 400],
    ['a folded host', `GET /healthz HTTP/1.1\r\nHost: local\r\n host\r\n${CLOSE}\r\n`, 400],
    ['the version 0.9', `GET /healthz HTTP/0.9\r\n${HOST}\r\n`, 400],
    ['no version', 'GET /healthz\r\n\r\n', 400],
    ['the version 2.0', `GET /healthz HTTP/2.0\r\n${HOST}${CLOSE}\r\n`, 400],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['the address of another host', `GET http://b/healthz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 400],
    ['a host with a user', `GET /healthz HTTP/1.1\r\nHost: a@localhost\r\n${CLOSE}\r\n`, 421],
    ['line feeds alone', `GET /healthz HTTP/1.1\nHost: localhost\n\n`, 400],
    ['a list of lengths', `${head}Content-Length: 2, 2\r\n\r\n{}`, 400],
    ['the same length twice', `${head}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ['a length with a sign', `${head}Content-Length: +2\r\n\r\n{}`, 400],
    ['chunks and a length', `${head}${CHUNKED}Content-Length: 2\r\n\r\n${CHUNKS}`, 400],
    ['chunked twice', `${head}${CHUNKED}${CHUNKED}\r\n${CHUNKS}`, 400],
    ['a folded encoding', `${head}Transfer-Encoding:\r\n chunked\r\n\r\n${CHUNKS}`, 400],
    ['a space before a colon', `${head}Transfer-Encoding : chunked\r\n\r\n${CHUNKS}`, 400],
    ['another encoding', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n${CHUNKS}`, 400],
    ['no encoding', `${head}Transfer-Encoding: identity\r\n\r\n{}`, 400],
    ['chunks in HTTP/1.0', `${head.replace('1.1', '1.0')}${CHUNKED}\r\n${CHUNKS}`, 400],
    ['chunks without line ends', `${head}${CHUNKED}\r\n2\r\n{}0\r\n\r\n`, 400],
    ['chunks with line feeds', `${head}${CHUNKED}\r\n2\n{}\n0\n\n`, 400],
    ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001', 400],
  ])('gets an error message: %s', async (_what, text, status) => {
    const response = await talk(text)
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const [, body = ''] = response.split('\r\n\r\n')
    expect(JSON.parse(body)).toEqual({ message: expect.stringMatching(/^.{5,120}$/) as string })
  })

  it('does not stop the server', async () => {
    const response = await talk(
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expect(response).toMatch(/^HTTP\/1\.1 200 /)
  })
})
