import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { writeClientFiles } from '../../testing/fixtures/client-files'
import { createAdmin } from '../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../testing/stages/test-deps'
import { buildSetupApp } from './setup-app'

const token = 'a-token-that-only-the-terminal-has-printed'
const account = { username: 'operator', password: 'correct horse' }
let clientDir: string
let deps: TestDeps
let app: FastifyInstance
let doneCount: number
let logged: string

beforeEach(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
  await writeClientFiles(clientDir)
  logged = ''
  doneCount = 0
  const logger = pino({ level: 'trace' }, { write: (line: string) => void (logged += line) })
  deps = await openTestDeps({ publicUrl: 'https://stock.example.com' }, { logger })
  app = await buildSetupApp(deps, { token, clientDir, onDone: () => (doneCount += 1) })
})
afterEach(async () => {
  await app.close()
  await deps.close()
  await rm(clientDir, { recursive: true })
})

const HEADERS = { host: 'stock.example.com' }
const get = (url: string) => app.inject({ method: 'GET', url, headers: HEADERS })
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { ...HEADERS, ...headers } } as InjectOptions)
const countUsers = async () => (await deps.db.selectFrom('users').select('id').execute()).length

describe('before there is an administrator', () => {
  it('shows a page, whose data tell nothing but the name, and leads every other page to it', async () => {
    const page = await get('/setup')
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.body).toContain('"path":"session.current","data":null')
    expect(page.body).not.toContain(token)
    for (const path of ['/', '/auth', '/supplier']) {
      const { statusCode, headers } = await get(path)
      expect([statusCode, headers.location]).toEqual([302, '/setup'])
    }
    expect((await get('/assets/app-1a2b.js')).statusCode).toBe(200)
    expect((await get('/healthz')).statusCode).toBe(200)
    expect((await get('/readyz')).statusCode).toBe(200)
  })

  it.each([
    ['POST', '/api/login'],
    ['POST', '/api/register'],
    ['POST', '/trpc/session.register'],
    ['GET', '/trpc/session.current'],
    ['GET', '/api/user'],
    ['GET', '/feeds/x'],
    ['POST', '/inbox/mail'],
    ['POST', '/auth'],
    ['DELETE', '/api/anything'],
  ])('refuses everything else: %s %s', async (method, url) => {
    const body = { ...account, companyName: 'Acme', role: 'SUPPLIER' }
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: HEADERS,
      ...(method !== 'GET' && { payload: body }),
    })
    expect([answer.statusCode, answer.body]).toEqual([
      503,
      expect.stringContaining('"message":"This installation has not been set up yet"'),
    ])
    expect(await countUsers()).toBe(0)
  })

  it('makes the administrator for the holder of the token, and tells so once', async () => {
    expect((await post('/api/setup/check', { token })).statusCode).toBe(204)
    expect(doneCount).toBe(0)
    const { statusCode, json } = await post('/api/setup', { token, ...account })
    expect([statusCode, json()]).toEqual([201, { message: 'Administrator operator created' }])
    await expect.poll(() => doneCount).toBe(1)
    expect(await countUsers()).toBe(1)
  })

  it.each([
    [403, { token: 'wrong', ...account }],
    [400, account],
    [400, { token: '', ...account }],
    [400, { token: 'x'.repeat(101), ...account }],
    [400, { token, ...account, username: '' }],
    [400, { token, ...account, password: 'short' }],
    [400, { token: { $ne: '' }, ...account }],
  ])('answers %i to %j', async (status, body) => {
    expect((await post('/api/setup', body)).statusCode).toBe(status)
    expect(await countUsers()).toBe(0)
    expect(doneCount).toBe(0)
  })

  it('takes the token from no other site, and at no other name', async () => {
    const site = { origin: 'https://other.example' }
    expect((await post('/api/setup', { token, ...account }, site)).statusCode).toBe(403)
    const host = { host: 'rebound.example' }
    expect((await post('/api/setup', { token, ...account }, host)).statusCode).toBe(421)
    expect(await countUsers()).toBe(0)
  })

  it('logs neither token nor password', async () => {
    await post('/api/setup/check', { token })
    await post('/api/setup', { token: `${token}x`, ...account })
    await post('/api/setup', { token, ...account })
    await expect.poll(() => logged).toContain('/api/setup')
    expect(logged).not.toMatch(new RegExp(`${token}|${account.password}`))
  })
})

it('is not there once there is an administrator, also one of another process', async () => {
  await createAdmin(deps)
  expect((await post('/api/setup', { token, ...account })).statusCode).toBe(404)
  expect((await post('/api/setup/check', { token })).statusCode).toBe(404)
})
