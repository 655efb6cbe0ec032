import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { buildApp } from '../../app'
import { writeClientFiles } from '../../testing/fixtures/client-files'
import { isAlarming, recordLog } from '../../testing/fixtures/log-lines'
import { openTestDeps, type TestDeps } from '../../testing/stages/test-deps'

/** One path of each kind: page, file, health, REST, tRPC, and unknown ones. */
const PATHS = [
  '/',
  '/retailers',
  '/assets/app.js',
  '/assets/nothing.js',
  '/healthz',
  '/api/user',
  '/api/login',
  '/api/nothing',
  '/trpc/session.current',
  '/trpc/session.logout',
  '/trpc/no.such',
  '/trpc',
]
const UNUSED_METHODS = [
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'MKCOL',
  'LOCK',
  'SEARCH',
  'PURGE',
  'SOURCE',
  'QUERY',
]
/** Request targets that are not a path, as they would be sent to a proxy. */
const TARGETS: Record<string, (path: string) => string> = {
  'an http address': (path) => `http://evil.example${path}`,
  'an https address': (path) => `https://evil.example${path}`,
  'an address of our own': (path) => `http://x${path}`,
  'an address with a name and a password': (path) => `http://a:b@evil.example${path}`,
  'an asterisk': () => '*',
}
const JSON_TYPE = 'content-type: application/json\r\n'
/** The rest of the request after the request line and the host. */
const BODIES: Record<string, string> = {
  'a length': 'content-length: 2\r\n\r\n{}',
  'a length and a type': `${JSON_TYPE}content-length: 2\r\n\r\n{}`,
  chunks: 'transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'chunks without content': 'transfer-encoding: chunked\r\n\r\n0\r\n\r\n',
}

let directory: string
let deps: TestDeps
let app: FastifyInstance
const log = recordLog()

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-test-'))
  await writeClientFiles(directory)
  await writeFile(join(directory, 'assets/app.js'), 'the script')
  deps = await openTestDeps({}, { logger: log.logger })
  const sessionSecret = 'a secret of thirty-two characters'
  app = await buildApp(deps, { sessionSecret, clientDir: directory })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await deps.close()
  await rm(directory, { recursive: true })
})

/** Sends text on a new connection and reads until the server has closed it. */
async function send(text: string) {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let response = ''
  socket.on('data', (chunk: Buffer) => (response += chunk.toString()))
  socket.write(text)
  await once(socket, 'close')
  const [head = '', body = ''] = response.split('\r\n\r\n')
  return { head, status: Number(head.split(' ')[1]), body }
}

const toRequest = (method: string, target: string, rest = '\r\n') =>
  `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${rest}`

const toBody = (message: string) => JSON.stringify({ message })
/** Log lines of failures on the server's side. */
const errorsLogged = () => log.lines().filter((line) => 'err' in line || isAlarming(line))

describe.each(UNUSED_METHODS)('the method %s', (method) => {
  it.each(PATHS)('is refused at %s', async (path) => {
    const { status, head, body } = await send(toRequest(method, path))
    expect([status, body]).toEqual([405, toBody(`The method ${method} is not used here`)])
    expect(head.toLowerCase()).toContain('content-type: application/json')
    expect(errorsLogged()).toEqual([])
  })
})

describe.each(Object.entries(TARGETS))('%s as the target of a request', (_kind, toTarget) => {
  it.each(PATHS)('is refused with the path %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const rest = method === 'POST' ? `${JSON_TYPE}content-length: 2\r\n\r\n{}` : undefined
      const { status, body } = await send(toRequest(method, toTarget(path), rest))
      const refusal = toBody('The address of a request must be a path')
      expect([method, status, body]).toEqual([method, 400, refusal])
    }
    expect(errorsLogged()).toEqual([])
  })
})

describe.each(Object.entries(BODIES))('a body with %s', (_kind, rest) => {
  it.each(PATHS)('is refused with GET and HEAD at %s', async (path) => {
    const read = await send(toRequest('GET', path, rest))
    expect([read.status, read.body]).toEqual([400, toBody('A GET request must not have a body')])
    expect(await send(toRequest('HEAD', path, rest))).toMatchObject({ status: 400, body: '' })
    expect(errorsLogged()).toEqual([])
  })
})

describe('a refused request', () => {
  it('lists the supported methods', async () => {
    const { head } = await send(toRequest('TRACE', '/trpc/session.current'))
    expect(head.toLowerCase()).toContain('\r\nallow: get, head, post, put, patch, delete\r\n')
  })

  it('does not corrupt the previous response on the same connection', async () => {
    const requests = `GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n${toRequest('TRACE', '/')}`
    const { status, body } = await send(requests)
    expect(status).toBe(200)
    expect(body).toMatch(/^\{"status":"ok"\}HTTP\/1\.1 405 Method Not Allowed\r\n/)
  })

  it('does not affect the next request on the same connection', async () => {
    const refused = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}'
    const { status, body } = await send(`${refused}${toRequest('GET', '/healthz')}`)
    expect(status).toBe(400)
    expect(body).toMatch(/^\{"message":"[^"]+"\}HTTP\/1\.1 200 OK\r\n/)
  })
})

describe('an ordinary request', () => {
  it.each([
    ['GET', '/', 200, undefined],
    ['HEAD', '/', 200, undefined],
    ['GET', '//retailers', 404, undefined],
    ['GET', '/api/user', 401, undefined],
    ['GET', '/api/user', 401, 'content-length: 0\r\n\r\n'],
    ['GET', '/trpc/session.current', 200, undefined],
    ['POST', '/api/logout', 200, undefined],
    ['POST', '/api/login', 400, `${JSON_TYPE}content-length: 2\r\n\r\n{}`],
    ['PATCH', '/api/suppliers/1', 401, `${JSON_TYPE}content-length: 2\r\n\r\n{}`],
    ['DELETE', '/api/retailers/1', 401, undefined],
  ])('is let through: %s %s', async (method, path, status, rest) => {
    expect(await send(toRequest(method, path, rest))).toMatchObject({ status })
  })
})
