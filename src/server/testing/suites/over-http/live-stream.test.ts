import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MAX_WATCHERS_PER_USER } from '../../../features/operations/live/change-watch'
import type { UserRecord } from '../../../features/people/accounts/users.queries'
import { createSupplierConnection, createSupplierUser, PASSWORD } from '../../fixtures/factories'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openLiveStream, type LiveStream } from '../../stages/live-stream'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

let sourceServer: SourceServer
let testApp: TestApp
let supplier: UserRecord
let client: Client
const streams: LiveStream[] = []

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: 'sku\r\n1\r\n' })
  testApp = await openTestApp({ fetchAllow: [sourceServer.host] })
  supplier = await createSupplierUser(testApp.deps)
  await createSupplierConnection(testApp.deps, supplier, sourceServer.url('/feed.csv'))
  client = await testApp.signIn(supplier)
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  await testApp.close()
  await sourceServer.close()
})

async function listen(by = client): Promise<LiveStream> {
  const stream = await openLiveStream(testApp.app, by)
  streams.push(stream)
  return stream
}

const untilSynced = (stream: LiveStream) =>
  stream.until((item) => item.kind === 'connection' && item.connection.status === 'synced')

describe('the live stream over a socket', () => {
  it('has headers that keep proxies from caching, buffering or transforming it', async () => {
    const { headers } = await listen()
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
  })

  it('delivers each change to every window while it is open', async () => {
    const windows = [await listen(), await listen()]
    const queued = [
      { kind: 'connection', connection: { status: 'queued' } },
      { kind: 'mails' },
      { kind: 'sftp-login' },
      { kind: 'unread-shops' },
      { kind: 'destinations' },
      { kind: 'sessions' },
      { kind: 'api-keys' },
    ]
    for (const window of windows) expect(await window.next()).toMatchObject(queued)
    await testApp.deps.work()
    for (const window of windows) expect(await untilSynced(window)).toBeDefined()
  })

  it.each<[string, () => Promise<unknown>]>([
    ['signs out', () => client.request('POST', '/api/logout')],
    [
      'changes the password',
      () =>
        client.request('POST', '/api/admin/reset-password', {
          currentPassword: PASSWORD,
          newPassword: 'another horse',
        }),
    ],
  ])('ends when its user %s, with no further item', async (_what, act) => {
    const stream = await listen()
    await stream.next()
    await act()
    await testApp.deps.db.deleteFrom('connections').execute()
    expect(await stream.next()).toBe(null)
  })

  it('does not end when its user signs out in another browser', async () => {
    const leaving = await testApp.signIn(supplier)
    const stream = await listen()
    await stream.next()
    await leaving.request('POST', '/api/logout')
    await testApp.deps.work()
    expect(await untilSynced(stream)).toBeDefined()
  })

  it('ends with the server, without delaying its shutdown', async () => {
    const stream = await listen()
    await stream.next()
    const startedAt = performance.now()
    await testApp.app.close()
    // Open sockets would delay it by seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(await stream.next()).toBe(null)
  })

  it('is refused by an event with status 429 when the user has too many, until one is closed', async () => {
    for (let count = 0; count < MAX_WATCHERS_PER_USER; count++) await (await listen()).next()
    await expect((await listen()).next()).rejects.toMatchObject({
      message: expect.stringContaining('Close some of them') as string,
      data: { httpStatus: 429 },
    })
    streams[0]?.close()
    const listenAgain = async () => (await listen()).next().catch(() => 'refused')
    await expect.poll(listenAgain, { timeout: 10_000 }).not.toBe('refused')
  })
})
