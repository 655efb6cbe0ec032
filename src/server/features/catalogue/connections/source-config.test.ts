import { inspect } from 'node:util'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type Connection, createConnectionInput } from '../../../../shared/schemas/connection'
import { SECRET_MASK, type SourceAuthInput } from '../../../../shared/schemas/source-auth'
import { createSecretBox } from '../../../secrets/secret-box'
import { collectRows } from '../../../testing/fixtures/collect-rows'
import { createLinkedRetailer, createSupplierUser } from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { getLatestFile, previewRetailerFile } from '../../distribution/downloads/retailer-files'
import { eachRetailer, getOwnRetailer } from '../../distribution/retailers/retailers'
import { describeMissingKeys } from '../../operations/sealing/missing-keys'
import type { UserRecord } from '../../people/accounts/users.queries'
import { createConnection, eachConnection, listConnections, updateConnection } from './connections'

const SECRET = 'open sesame'
/** A token is one word. */
const SECRET_TOKEN = 'open-sesame'
const basic = { type: 'basic', username: 'acme', password: SECRET } as const
const masked = { type: 'basic', username: 'acme', password: SECRET_MASK }
const settings = { name: 'Feed', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }
const BASIC_HEADER = `Basic ${Buffer.from(`acme:${SECRET}`).toString('base64')}`

describe('the credentials of a connection', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    sourceServer.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n', etag: '"1"' })
    deps = await openTestDeps({ fetchAllow: ['127.0.0.1', sourceServer.host, '127.0.0.2'] })
    supplier = await createSupplierUser(deps)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await deps.close()
    await sourceServer.close()
  })

  async function connect(auth?: SourceAuthInput, url = sourceServer.url('/feed.csv')) {
    const input = createConnectionInput.parse({ ...settings, config: { url, auth } })
    const connection = await createConnection(deps, supplier, input)
    await deps.queue.idle()
    return connection
  }

  async function change(config: { url?: string; auth?: SourceAuthInput }): Promise<Connection> {
    const { id } = await current()
    const url = config.url ?? sourceServer.url('/feed.csv')
    const connection = await updateConnection(deps, supplier, { id, config: { ...config, url } })
    await deps.queue.idle()
    return connection
  }

  async function current(): Promise<Connection> {
    const [connection] = await listConnections(deps, supplier)
    if (!connection) throw new Error('There is no connection')
    return connection
  }

  const storedConfig = async () => {
    const row = await deps.db.selectFrom('connections').select('config').executeTakeFirst()
    if (!row) throw new Error('There is no connection')
    return row.config
  }
  const lastRequest = () => sourceServer.requests.at(-1)?.headers

  it.each([
    [basic, { authorization: BASIC_HEADER }],
    [{ type: 'basic', username: 'ačme', password: 'č:x' }, 'Basic YcSNbWU6xI06eA=='],
    [{ type: 'bearer', token: 'abc.def' }, { authorization: 'Bearer abc.def' }],
    [{ type: 'header', name: 'X-Api-Key', value: 'k 1' }, { 'x-api-key': 'k 1' }],
    [{ type: 'header', name: 'Authorization', value: 'Key 1' }, { authorization: 'Key 1' }],
  ] as const)('are sent with the request of a sync: %j', async (auth, expected) => {
    await connect(auth)
    const headers = typeof expected === 'string' ? { authorization: expected } : expected
    expect(lastRequest()).toMatchObject(headers)
    expect((await current()).status).toBe('synced')
  })

  it('are stored encrypted, with the id of their key', async () => {
    await connect(basic)
    expect(await describeMissingKeys(deps)).toEqual([])
    expect(await storedConfig()).toEqual({
      url: sourceServer.url('/feed.csv'),
      auth: { type: 'basic', username: 'acme', sealed: expect.stringMatching(/^[0-9a-f]{8}\./) },
    })
    expect(JSON.stringify(await storedConfig())).not.toContain(SECRET)
  })

  describe('of a bucket', () => {
    const url = 's3://acme-files/out/feed.csv'
    const key = { type: 's3', accessKeyId: 'AKIA1', secretAccessKey: SECRET_TOKEN } as const
    const pair = () => ({ ...key, region: 'eu-west-1', endpoint: `http://${sourceServer.host}` })
    const field = (name: string) => ({ code: 'INVALID', field: name })

    it('sign the request of a sync, and are never sent', async () => {
      await connect(pair(), url)
      const asked = sourceServer.requests.map(({ path, headers }) => path + inspect(headers))
      expect(asked).toHaveLength(1)
      expect(asked[0]).toMatch(/^\/acme-files\/out\/feed\.csv\?.*X-Amz-Signature=[\da-f]{64}/)
      expect(asked[0]).not.toContain(SECRET_TOKEN)
      const { lastError, config } = await current()
      expect(lastError).not.toMatch(/X-Amz|127\.0\.0\.1/)
      expect(config).toEqual({ url, auth: { ...pair(), secretAccessKey: SECRET_MASK } })
    })

    it('are stored encrypted, and stay for the same bucket only', async () => {
      await connect(pair(), url)
      const { auth: before } = await storedConfig()
      expect(before).toMatchObject({ type: 's3', accessKeyId: 'AKIA1', region: 'eu-west-1' })
      expect(JSON.stringify(before)).not.toContain(SECRET_TOKEN)
      await change({ url: 's3://acme-files/b.csv' })
      await change({ url, auth: { ...pair(), secretAccessKey: SECRET_MASK } })
      expect((await storedConfig()).auth).toEqual(before)
      const auth = { ...pair(), secretAccessKey: SECRET_MASK }
      await expect(change({ url: 's3://other-files/b.csv', auth })).rejects.toMatchObject(
        field('config.auth.secretAccessKey'),
      )
      await expect(change({ url: 's3://other-files/b.csv' })).rejects.toMatchObject(
        field('config.auth.type'),
      )
    })

    it('are for addresses of buckets, and those for nothing else', async () => {
      await expect(connect(pair())).rejects.toMatchObject(field('config.auth.type'))
      await expect(connect(basic, url)).rejects.toMatchObject(field('config.auth.type'))
      await expect(connect(undefined, url)).rejects.toMatchObject(field('config.auth.type'))
    })
  })

  it('are masked for the supplier, and hidden from retailers', async () => {
    const created = await connect(basic)
    const renamed = await updateConnection(deps, supplier, { id: created.id, name: 'Renamed' })
    const listed = await listConnections(deps, supplier)
    const scripts = await collectRows(eachConnection(deps, supplier))
    const config = { url: sourceServer.url('/feed.csv'), auth: masked }
    expect([created, renamed, ...listed, ...scripts].map((shown) => shown.config)).toEqual(
      Array.from({ length: 4 }, () => config),
    )
    const retailer = await createLinkedRetailer(deps, supplier)
    const seen = [
      await collectRows(eachRetailer(deps, retailer.user)),
      await getOwnRetailer(deps, retailer.user),
      await getLatestFile(deps, retailer.user, retailer.id),
      await previewRetailerFile(deps, retailer.user, retailer.id),
    ]
    expect(seen.at(-1)).toMatchObject({ rows: [['1', '5']] })
    expect(inspect(seen, { depth: 9 })).not.toMatch(/acme|sealed|auth|127\.0\.0\.1/)
  })

  it('stay when they are left out or sent back masked, and no sync starts', async () => {
    await connect(basic)
    const before = await storedConfig()
    await change((await current()).config)
    await change({})
    await change({ auth: { type: 'basic', username: 'acme' } })
    expect(await storedConfig()).toEqual(before)
    expect(sourceServer.requests).toHaveLength(1)
  })

  it('start a full sync at once when they change', async () => {
    await connect()
    sourceServer.set('/feed.csv', { status: 401 })
    deps.clock.advance(3_600_000)
    await deps.work()
    expect((await current()).lastError).toContain('enter them under Access')
    sourceServer.set('/feed.csv', { body: 'sku,qty\r\n1,6\r\n' })
    expect((await change({ auth: basic })).lastError).toBeNull()
    expect(lastRequest()).toMatchObject({ authorization: BASIC_HEADER })
    expect(lastRequest()).not.toHaveProperty('if-none-match')
    expect(await current()).toMatchObject({ status: 'synced', consecutiveFailures: 0 })
    await change({ auth: { type: 'basic', username: 'other', password: SECRET_MASK } })
    expect(lastRequest()?.authorization).toBe(
      `Basic ${Buffer.from(`other:${SECRET}`).toString('base64')}`,
    )
    await change({ auth: { type: 'none' } })
    expect(lastRequest()).not.toHaveProperty('authorization')
    expect(sourceServer.requests).toHaveLength(5)
  })

  it('are kept for another path of the same origin, and dropped for another origin', async () => {
    sourceServer.set('/other.csv', { body: 'sku,qty\r\n1,5\r\n' })
    await connect(basic)
    await change({ url: sourceServer.url('/other.csv') })
    expect(lastRequest()).toMatchObject({ authorization: BASIC_HEADER })
    const elsewhere = sourceServer.url('/feed.csv').replace('127.0.0.1', 'localhost')
    for (const auth of [undefined, { type: 'basic', username: 'acme' } as const]) {
      await change({ auth: basic })
      expect((await change({ url: elsewhere, auth })).config.auth).toEqual({ type: 'none' })
      expect(await storedConfig()).not.toContain('sealed')
    }
    await change({ url: elsewhere, auth: basic })
    expect((await current()).config.auth).toEqual(masked)
    for (const url of [elsewhere.replace('http:', 'https:'), 'http://localhost:1/feed.csv']) {
      await change({ url: elsewhere, auth: basic })
      expect((await change({ url })).config.auth).toEqual({ type: 'none' })
    }
  })

  it('are required when none are stored yet', async () => {
    await expect(connect({ type: 'basic', username: 'acme' })).rejects.toThrow(
      'Password is required',
    )
    await connect(basic)
    await expect(change({ auth: { type: 'bearer' } })).rejects.toThrow('Token is required')
    await expect(
      change({ auth: { type: 'header', name: 'X-Key', value: SECRET_MASK } }),
    ).rejects.toThrow('Header value is required')
    expect((await current()).config.auth).toEqual(masked)
  })

  it('are reported to supplier and administrator when they were encrypted with another key', async () => {
    await connect(basic)
    const keyId = (await storedConfig()).auth?.sealed.slice(0, 8)
    const logged = vi.spyOn(deps.logger, 'error')
    const box = createSecretBox(Buffer.alloc(32, 99))
    vi.spyOn(deps.secrets, 'open').mockImplementation(box.open)
    vi.spyOn(deps.secrets, 'hasKeyOf').mockImplementation(box.hasKeyOf)
    deps.clock.advance(3_600_000)
    await deps.work()
    expect(await current()).toMatchObject({
      status: 'failed',
      consecutiveFailures: 1,
      lastError: `The credentials of this connection were saved with another key (id ${keyId}). Enter them again, or ask your administrator to restore that key.`,
    })
    expect(logged.mock.calls[0]?.[0]).toMatchObject({ supplierId: supplier.id, keyId })
    expect(sourceServer.requests).toHaveLength(1)
    expect(await describeMissingKeys(deps)).toEqual([
      expect.stringMatching(
        `The addresses or credentials of 1 connection .* key ${keyId}, .* ENCRYPTION_KEY`,
      ),
    ])
  })

  it('cannot be decrypted for another supplier or origin, even when the database was edited', async () => {
    await connect(basic)
    const other = await createSupplierUser(deps)
    const config = await storedConfig()
    const rows = [
      { supplierId: other.id, config },
      { config: { ...config, url: config.url.replace('127.0.0.1', '127.0.0.2') } },
    ]
    for (const row of rows) {
      await deps.db.updateTable('connections').set(row).execute()
      deps.clock.advance(24 * 3_600_000)
      await deps.work()
      const [connection] = await listConnections(deps, rows[0] === row ? other : supplier)
      expect(connection?.lastError).toBe(
        'The credentials of this connection were damaged. Enter them again.',
      )
      await deps.db.updateTable('connections').set({ supplierId: supplier.id }).execute()
    }
    expect(sourceServer.requests).toHaveLength(1)
  })

  it('never appear in a log line, in a run or in the error of a sync', async () => {
    const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
    const logged = methods.map((method) => vi.spyOn(deps.logger, method))
    await connect()
    sourceServer.set('/401', { status: 401, body: `no ${SECRET}` })
    sourceServer.set('/cut', { handler: (request) => request.socket.destroy() })
    const shown: Connection[] = []
    for (const [auth, path] of [
      [{ type: 'bearer', token: SECRET_TOKEN }, '/feed.csv'],
      [{ type: 'header', name: 'X-Key', value: SECRET }, '/feed.csv'],
      [basic, '/401'],
      [basic, '/cut'],
    ] as const) {
      await change({ auth, url: sourceServer.url(path) })
      shown.push(await current())
    }
    expect(shown.map(({ status }) => status)).toEqual(['synced', 'synced', 'failed', 'failed'])
    const runs = await deps.db.selectFrom('syncRuns').selectAll().execute()
    expect(runs).toHaveLength(5)
    const calls = logged.flatMap(({ mock }) => mock.calls)
    expect(calls.length).toBeGreaterThan(4)
    const all = inspect([shown, runs, calls], { depth: 9, maxArrayLength: null })
    for (const secret of [SECRET, SECRET_TOKEN, BASIC_HEADER]) expect(all).not.toContain(secret)
  })
})
