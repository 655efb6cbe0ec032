import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { readConfig } from '../../config'
import { writeClientFiles } from '../../testing/fixtures/client-files'
import { buildRestoringApp } from './restoring-app'

let clientDir: string
let app: FastifyInstance

beforeEach(async () => {
  clientDir = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
  await writeClientFiles(clientDir)
  const config = readConfig({ NODE_ENV: 'test', PUBLIC_URL: 'https://stock.example.com' })
  app = await buildRestoringApp(config, pino({ level: 'silent' }), {
    clientDir,
    progress: () => ({ step: 'Moving <all>', since: '2026-01-15T08:30:00.000Z' }),
  })
})
afterEach(async () => {
  await app.close()
  await rm(clientDir, { recursive: true })
})

const HEADERS = { host: 'stock.example.com' }

it('answers 503 to everything, whatever its method and type, and says when to come again', async () => {
  const requests = [
    { method: 'GET', url: '/api/user' },
    { method: 'GET', url: '/feeds/secret' },
    { method: 'POST', url: '/trpc/session.login', payload: { username: 'a' } },
    { method: 'PUT', url: '/upload/secret', payload: 'a,b', type: 'text/csv' },
    { method: 'DELETE', url: '/api/setup' },
  ] as const
  for (const { method, url, ...body } of requests) {
    const payload = 'payload' in body ? { payload: body.payload } : {}
    const type = 'type' in body ? { 'content-type': body.type } : {}
    const headers = { ...HEADERS, ...type }
    const answer = await app.inject({ method, url, headers, ...payload })
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      503,
      '10',
      { message: 'Stockbridge is being restored from a backup' },
    ])
  }
  const rebound = await app.inject({ url: '/', headers: { host: 'rebound.example' } })
  expect(rebound.statusCode).toBe(421)
})

it('shows people a page that asks again by itself, and tells the step and the time, nothing else', async () => {
  const headers = { ...HEADERS, accept: 'text/html' }
  const page = await app.inject({ url: '/supplier', headers })
  expect([page.statusCode, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
  expect(page.body).toContain('<meta http-equiv="refresh" content="10" />')
  expect(page.body).toContain('Moving &lt;all&gt;, since 08:30 UTC')
  const progress = await app.inject({ url: '/api/restore-progress', headers: HEADERS })
  expect([progress.statusCode, progress.json()]).toEqual([
    200,
    { step: 'Moving <all>', since: '2026-01-15T08:30:00.000Z' },
  ])
  expect((await app.inject({ url: '/assets/app-1a2b.js', headers: HEADERS })).statusCode).toBe(200)
})

it('lives, and is not ready', async () => {
  expect((await app.inject({ url: '/healthz', headers: HEADERS })).statusCode).toBe(200)
  expect((await app.inject({ url: '/readyz', headers: HEADERS })).statusCode).toBe(503)
})
