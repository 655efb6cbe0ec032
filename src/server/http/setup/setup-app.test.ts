import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { OfferedBackup, RestoreProgress } from '../../../shared/schemas/setup'
import { routeRoles } from '../../api/route-roles'
import type { FirstRestore } from '../../restore/first-restore'
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
/** What was asked of the restore, and how far it is. */
let restoreCalls: unknown[]
let progress: RestoreProgress

beforeEach(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
  await writeClientFiles(clientDir)
  logged = ''
  doneCount = 0
  const logger = pino({ level: 'trace' }, { write: (line: string) => void (logged += line) })
  deps = await openTestDeps({ publicUrl: 'https://stock.example.com' }, { logger })
  restoreCalls = []
  progress = { state: 'idle', lines: [], problem: null }
  const restore = createRestoreStub()
  app = await buildSetupApp(deps, { token, clientDir, restore, onDone: () => (doneCount += 1) })
})
afterEach(async () => {
  await app.close()
  await deps.close()
  await rm(clientDir, { recursive: true })
})

const BACKUP: OfferedBackup = {
  id: 'stockbridge-2026-01-15T03-00-00-000Z',
  name: 'stockbridge-2026-01-15T03-00-00-000Z',
  createdAt: '2026-01-15T03:00:00.000Z',
  sizeBytes: 2_048,
  productVersion: '1.0.0',
  isNewer: false,
  signature: 'valid',
  keyId: '0badcafe',
}

function createRestoreStub(): FirstRestore {
  return {
    async list() {
      restoreCalls.push('list')
      return { place: '/data/backups', backups: [BACKUP] }
    },
    async take(sizeBytes, body) {
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      restoreCalls.push(['take', sizeBytes, Buffer.concat(chunks).toString()])
      return { ...BACKUP, id: 'sent' }
    },
    async start(wanted) {
      restoreCalls.push(['start', wanted])
      progress = { state: 'running', lines: ['Unpacking'], problem: null }
    },
    progress: () => progress,
    close: async () => undefined,
  }
}

const HEADERS = { host: 'stock.example.com' }
const get = (url: string) => app.inject({ method: 'GET', url, headers: HEADERS })
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { ...HEADERS, ...headers } } as InjectOptions)
const send = (payload: string, headers: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url: '/api/setup/backup',
    payload,
    headers: { ...HEADERS, 'content-type': 'application/octet-stream', ...headers },
  })
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
    ['GET', '/api/admin/backup-files/x'],
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

  it('refuses every route of the product', async () => {
    const open = new Set([
      'GET /',
      'GET /*',
      'GET /auth',
      'GET /:file',
      'GET /healthz',
      'GET /readyz',
    ])
    const asked = Object.keys(routeRoles).filter(
      (address) => !open.has(address) && !/^GET \/(?:assets|upload|unsubscribe)\//.test(address),
    )
    expect(asked.length).toBeGreaterThan(100)
    for (const address of asked) {
      const [method = '', path = ''] = address.replace('ANY', 'POST').split(' ')
      const url = path.replaceAll(/:\w+/g, '1')
      const answer = await app.inject({ method: method as 'GET', url, headers: HEADERS })
      expect([address, answer.statusCode]).toEqual([address, 503])
      expect(answer.body).toContain('This installation has not been set up yet')
    }
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

  it('lets the holder of the token restore a backup that is there, or is sent', async () => {
    const list = await post('/api/setup/backups', { token })
    expect([list.statusCode, list.json()]).toEqual([
      200,
      { place: '/data/backups', backups: [BACKUP] },
    ])
    const sent = await send('bytes', { 'x-setup-token': token })
    expect([sent.statusCode, sent.json()]).toEqual([200, { ...BACKUP, id: 'sent' }])
    expect((await post('/api/setup/progress', { token })).json()).toMatchObject({ state: 'idle' })
    const started = await post('/api/setup/restore', { token, backup: 'sent' })
    expect([started.statusCode, started.json()]).toEqual([202, progress])
    expect((await post('/api/setup/progress', { token })).json()).toEqual(progress)
    expect(restoreCalls).toEqual([
      'list',
      ['take', 5, 'bytes'],
      [
        'start',
        expect.objectContaining({ backup: 'sent', isTrusted: false, address: '127.0.0.1' }),
      ],
    ])
  })

  it('makes no administrator while a backup is being restored', async () => {
    await post('/api/setup/restore', { token, backup: 'sent' })
    expect((await post('/api/setup', { token, ...account })).statusCode).toBe(409)
    expect(await countUsers()).toBe(0)
  })

  it.each([
    ['nothing', undefined, 400],
    ['an empty token', '', 400],
    ['a long one', 'x'.repeat(101), 400],
    ['another one', 'wrong', 403],
  ])('neither tells nor does anything of backups with %s', async (_what, given, status) => {
    const answers = [
      await post('/api/setup/backups', { token: given }),
      await post('/api/setup/progress', { token: given }),
      await post('/api/setup/restore', { token: given, backup: 'sent', isTrusted: true }),
      await send('bytes', given === undefined ? {} : { 'x-setup-token': given }),
    ]
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(status)
      expect(Object.keys(JSON.parse(body) as object)).toEqual(['message'])
    }
    expect(restoreCalls).toEqual([])
  })

  it.each([
    [400, { token }],
    [400, { token, backup: '' }],
    [400, { token, backup: 'x'.repeat(101) }],
    [400, { token, backup: 'sent', isTrusted: 'yes' }],
  ])('answers %i to %j, and restores nothing', async (status, body) => {
    expect((await post('/api/setup/restore', body)).statusCode).toBe(status)
    expect(restoreCalls).toEqual([])
  })

  it('logs neither token nor password', async () => {
    await post('/api/setup/check', { token })
    await post('/api/setup', { token: `${token}x`, ...account })
    await post('/api/setup', { token, ...account })
    await send('bytes', { 'x-setup-token': token })
    await expect.poll(() => logged).toContain('/api/setup/backup')
    expect(logged).not.toMatch(new RegExp(`${token}|${account.password}`))
  })
})

it('is not there once there is an administrator, also one of another process', async () => {
  await createAdmin(deps)
  expect((await post('/api/setup', { token, ...account })).statusCode).toBe(404)
  expect((await post('/api/setup/check', { token })).statusCode).toBe(404)
  expect((await post('/api/setup/backups', { token })).statusCode).toBe(404)
  expect((await post('/api/setup/progress', { token })).statusCode).toBe(404)
  expect((await post('/api/setup/restore', { token, backup: 'sent' })).statusCode).toBe(404)
  expect((await send('bytes', { 'x-setup-token': token })).statusCode).toBe(404)
  expect(restoreCalls).toEqual([])
})
