import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiRoutes } from '../../api/api-routes'
import { writeClientFiles } from '../../testing/fixtures/client-files'
import { openTestApp, type TestApp } from '../../testing/stages/test-app'

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']

/** Its pages are opened in a window, and have no HEAD. */
const isPage = (path: string) => path.startsWith('/api/auth/google/')

/** The methods of each path below /api, after the table of its routes. */
const allowed = new Map<string, Set<string>>()
for (const address of Object.keys(apiRoutes)) {
  const [method = '', path = ''] = address.split(' ')
  const known = allowed.get(path) ?? new Set()
  for (const name of method === 'GET' && !isPage(path) ? ['GET', 'HEAD'] : [method]) known.add(name)
  allowed.set(path, known)
}

let directory: string
let served: TestApp
let apiOnly: TestApp

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-test-'))
  await writeClientFiles(directory)
  served = await openTestApp({}, {}, { clientDir: directory })
  apiOnly = await openTestApp()
})
afterAll(async () => {
  await Promise.all([served.close(), apiOnly.close()])
  await rm(directory, { recursive: true })
})

const inject = async (
  method: string,
  url: string,
  { app = served, headers = {} }: { app?: TestApp; headers?: Record<string, string> } = {},
) => {
  const answer = await app.app.inject({ method: method as 'GET', url, headers })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body }
}

/** A name may be an id too: /api/connections/preview is also /api/connections/:id. */
const AS_IDS: Record<string, string> = {
  '/api/connections/preview': '/api/connections/:id',
  '/api/connections/preview-file': '/api/connections/:id',
  '/api/retailers/group': '/api/retailers/:id',
  '/api/retailers/:id/destinations/trial': '/api/retailers/:id/destinations/:destinationId',
  '/api/merged-file/destinations/trial': '/api/merged-file/destinations/:destinationId',
}
const isAllowed = (path: string, method: string) =>
  [path, AS_IDS[path] ?? path].some((known) => allowed.get(known)?.has(method) === true)

describe('another method than a path has', () => {
  it.each([...allowed.keys()])('is refused at %s, which lists its methods', async (pattern) => {
    const path = pattern.replaceAll(/:\w+/g, '1')
    for (const app of [served, apiOnly]) {
      for (const method of [...METHODS, 'PUT', 'OPTIONS'].filter(
        (name) => !isAllowed(pattern, name),
      )) {
        const { status, headers, text } = await inject(method, path, { app })
        expect([method, status]).toEqual([method, 405])
        const others = METHODS.filter((name) => String(headers.allow).split(', ').includes(name))
        expect(others).toEqual(METHODS.filter((name) => isAllowed(pattern, name)))
        const message = `The method ${method} is not used here`
        expect(text).toBe(method === 'HEAD' ? '' : JSON.stringify({ message }))
      }
    }
  })

  it.each([
    ['POST', '/', 'GET, HEAD'],
    ['DELETE', '/healthz', 'GET, HEAD'],
    ['DELETE', '/unsubscribe/x', 'GET, HEAD, POST'],
    ['POST', '/api/us%65r', 'GET, HEAD'],
    ['POST', '/api/user?a=/b#c', 'GET, HEAD'],
    ['POST', '/feeds/x%2fy/inventory.txt', 'GET, HEAD'],
    ['GET', '/api/connections/preview', 'POST, PATCH'],
  ])('is refused too: %s %s', async (method, path, allow) => {
    const { status, headers } = await inject(method, path)
    expect([status, headers.allow]).toEqual([405, allow])
  })

  it('is refused before its body is looked at, and before anybody has to sign in', async () => {
    const headers = { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' }
    const answer = await inject('POST', '/api/connections/1/files', { headers })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

describe('a path without a route', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['POST', '/api/users/'],
    ['POST', '/api/user/'],
    ['POST', '/API/user'],
    ['POST', '/supplier/connections'],
    ['DELETE', '/feeds/x'],
    ['DELETE', '/feeds//inventory.csv'],
  ])('is not found: %s %s', async (method, path) => {
    const { status, headers } = await inject(method, path)
    expect([status, headers.allow]).toEqual([404, undefined])
  })
})

describe('a file of the client', () => {
  it.each([
    [412, { 'if-match': '"another"' }],
    [412, { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
    [416, { range: 'bytes=4000-' }],
  ])(
    'is refused with %s, and a reason, to a reader that wants another one',
    async (status, headers) => {
      const answer = await inject('GET', '/favicon.svg', { headers })
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.text)).toEqual({ message: expect.stringMatching(/^The file /) })
    },
  )
})
