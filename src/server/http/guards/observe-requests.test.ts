import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { UserRecord } from '../../features/people/accounts/users.queries'
import {
  createSupplierConnection,
  createSupplierUser,
  PASSWORD,
} from '../../testing/fixtures/factories'
import { recordLog, type LogRecorder } from '../../testing/fixtures/log-lines'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

let log: LogRecorder
let sourceServer: SourceServer
let testApp: TestApp
let supplier: UserRecord
let client: Client

beforeEach(async () => {
  log = recordLog()
  sourceServer = await startSourceServer()
  testApp = await openTestApp({ fetchAllow: [sourceServer.host] }, { logger: log.logger })
  supplier = await createSupplierUser(testApp.deps)
  client = await testApp.signIn(supplier)
})
afterEach(async () => {
  await testApp.close()
  await sourceServer.close()
})

const requestLines = () => log.lines().filter(({ msg }) => msg.startsWith('Request'))

describe('the request log', () => {
  it('has one line per request with user, method, path, status and duration', async () => {
    const { headers } = await client.request('GET', '/api/user?token=query-secret')
    expect(requestLines()).toMatchObject([
      { method: 'POST', path: '/api/login', status: 200, userId: supplier.id },
      {
        level: 'info',
        requestId: headers['x-request-id'],
        method: 'GET',
        path: '/api/user',
        status: 200,
        ms: expect.any(Number) as number,
        userId: supplier.id,
      },
    ])
  })

  it('includes refused requests and unknown paths', async () => {
    await testApp.client().request('GET', '/api/nothing')
    await testApp.client().request('GET', '/%zz?x=1')
    await testApp.client().request('POST', '/api/login', 'no JSON', { 'content-type': 'text/csv' })
    expect(requestLines().slice(1)).toMatchObject([
      { path: '/api/nothing', status: 404 },
      { path: '/%zz', status: 400 },
      { path: '/api/login', status: 415 },
    ])
  })

  it('logs health checks at debug level', async () => {
    await client.request('GET', '/readyz')
    expect(requestLines().at(-1)).toMatchObject({ level: 'debug', path: '/readyz' })
  })

  it('has the request id on the lines of a job that the request started', async () => {
    sourceServer.set('/feed.csv', { body: 'sku\n1\n' })
    const { id } = await createSupplierConnection(
      testApp.deps,
      supplier,
      sourceServer.url('/feed.csv'),
    )
    const { headers } = await client.request('POST', `/api/connections/${id}/sync`)
    await testApp.deps.queue.idle()
    expect(log.lines().filter(({ msg }) => msg === 'Sync finished')).toMatchObject([
      {
        requestId: headers['x-request-id'],
        connectionId: id,
        outcome: 'published',
        sizeBytes: 6,
        rowCount: 1,
        ms: expect.any(Number) as number,
      },
    ])
  })

  it('has the request id on error lines', async () => {
    await testApp.deps.db.destroy()
    const { status, headers } = await client.request('POST', '/api/login', {
      username: supplier.username,
      password: PASSWORD,
    })
    expect(status).toBe(500)
    const failures = log.lines().filter(({ level }) => level === 'error')
    expect(failures).toMatchObject([{ requestId: headers['x-request-id'] }])
  })

  it('never contains passwords, cookies, query strings or source URLs', async () => {
    const { username } = supplier
    const cookie = /=([^.;]+)/.exec(client.cookie ?? '')?.[1]
    await client.request('POST', '/api/login', { username, password: 'wrong-secret' })
    const url = sourceServer.url('/feed.csv?token=query-secret')
    for (const source of [url, url.replace('//', '//somebody:url-secret@')]) {
      await client.request('POST', '/api/connections/preview', { url: source })
      const settings = { name: 'Feed', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }
      await client.request('POST', '/api/connections', { ...settings, config: { url: source } })
    }
    await testApp.deps.work()
    await client.request('GET', `http://somebody:url-secret@localhost/api/user?a=query-secret`)
    await testApp.deps.db.destroy()
    await client.request('POST', '/api/login', { username, password: PASSWORD })
    expect(log.lines().filter(({ msg }) => msg === 'Sync finished')).toMatchObject([
      { outcome: 'failed', errorCode: 'http-status' },
    ])
    for (const secret of [PASSWORD, 'secret', cookie]) expect(log.text()).not.toContain(secret)
  })
})
