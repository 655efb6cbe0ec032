import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createConnectionInput } from '../../../../shared/schemas/connection'
import { createSecretBox } from '../../../secrets/secret-box'
import { collectRows } from '../../../testing/fixtures/collect-rows'
import { createAdmin, createSupplierUser } from '../../../testing/fixtures/factories'
import { recordLog, type LogRecorder } from '../../../testing/fixtures/log-lines'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { describeMissingKeys } from '../../operations/sealing/missing-keys'
import { getSupplier } from '../../operations/suppliers/supplier-observation'
import type { UserRecord } from '../../people/accounts/users.queries'
import { createConnection, eachConnection, listConnections, updateConnection } from './connections'
import { previewSource } from './source-preview'

const TOKEN = 'open-sesame-open-sesame'
const PATHS = [`/feed.csv?key=${TOKEN}`, `/feeds/${TOKEN}/inventory.csv`]
const settings = { name: 'Feed', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }

let sourceServer: SourceServer
let log: LogRecorder
let deps: TestDeps
let supplier: UserRecord
let admin: UserRecord

beforeEach(async () => {
  sourceServer = await startSourceServer()
  for (const path of ['/feed.csv', ...PATHS]) {
    sourceServer.set(path, { body: 'sku,qty\r\n1,5\r\n' })
  }
  log = recordLog()
  deps = await openTestDeps(
    { fetchAllow: ['127.0.0.1', sourceServer.host] },
    { logger: log.logger },
  )
  supplier = await createSupplierUser(deps)
  admin = await createAdmin(deps)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await deps.close()
  await sourceServer.close()
})

const maskOf = () => `${new URL(sourceServer.url('/')).origin}/••••••`

async function connect(path: string) {
  const input = createConnectionInput.parse({
    ...settings,
    config: { url: sourceServer.url(path) },
  })
  const connection = await createConnection(deps, supplier, input)
  await deps.work()
  return connection
}

async function listAs(actor: Parameters<typeof listConnections>[1]) {
  const [connection] = await listConnections(deps, actor)
  return connection
}

async function listAsAdmin() {
  const [connection] = await collectRows(eachConnection(deps, admin))
  return connection
}

const readRow = () => deps.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()

describe.each(PATHS)('the address %s', (path) => {
  it('is fetched whole, and stored and logged nowhere', async () => {
    await connect(path)
    expect(sourceServer.requests.map((request) => request.path)).toEqual([path])
    const tables = ['connections', 'auditEntries', 'syncRuns', 'versions'] as const
    const stored = tables.map((table) => deps.db.selectFrom(table).selectAll().execute())
    const rows = await Promise.all(stored)
    expect(rows.map(({ length }) => length)).toEqual([1, 1, 1, 1])
    expect(JSON.stringify(rows) + log.text()).not.toContain(TOKEN)
  })

  it('is shown whole to its supplier, and masked to administrators and who views as the supplier', async () => {
    const { id, config } = await connect(path)
    expect(config.url).toBe(sourceServer.url(path))
    expect((await listAs(supplier))?.config.url).toBe(sourceServer.url(path))
    const viewAs = { by: admin, endsAt: deps.clock.now() + 1 }
    const others = [
      await listAs({ ...supplier, viewAs }),
      await listAsAdmin(),
      (await getSupplier(deps, supplier.id)).connection,
      await updateConnection(deps, admin, { id, name: 'Renamed' }),
    ]
    expect(others.map((one) => one?.config.url)).toEqual(Array(4).fill(maskOf()))
    expect(JSON.stringify(others)).not.toContain(TOKEN)
  })

  it('is kept when it is sent back masked, or entered again, and read no sooner', async () => {
    const { id } = await connect(path)
    const before = await readRow()
    await updateConnection(deps, admin, { id, config: { url: maskOf() } })
    await updateConnection(deps, supplier, { id, config: { url: sourceServer.url(path) } })
    expect(await readRow()).toEqual(before)
    const preview = { connectionId: id, url: maskOf() }
    expect((await previewSource(deps, admin, preview)).columns).toEqual(['sku', 'qty'])
    expect(sourceServer.requests.map((request) => request.path)).toEqual([path, path])
  })
})

describe('an address that may contain a secret', () => {
  it('is masked only for what it was: not for another origin, nor before it is known', async () => {
    const { id } = await connect(PATHS[0]!)
    const before = await readRow()
    const wrong = ['http://127.0.0.2/••••••', `${maskOf()}/more`, encodeURI(maskOf())]
    for (const url of wrong) {
      await expect(updateConnection(deps, admin, { id, config: { url } })).rejects.toMatchObject({
        code: 'INVALID',
        field: 'config.url',
        message: 'Enter the whole address: the dots stand for a hidden part',
      })
    }
    expect(await readRow()).toEqual(before)
    const input = createConnectionInput.parse({ ...settings, config: { url: maskOf() } })
    const other = await createSupplierUser(deps)
    await expect(createConnection(deps, other, input)).rejects.toThrow('Enter the whole address')
  })

  it('is told in the audit log by its origin, and that it has changed', async () => {
    const { id } = await connect(PATHS[0]!)
    await updateConnection(deps, supplier, { id, config: { url: sourceServer.url(PATHS[1]!) } })
    await deps.work()
    expect(sourceServer.requests.at(-1)?.path).toBe(PATHS[1])
    const entries = await deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
    const urls = entries.map(({ changes }) => changes?.find(({ field }) => field === 'url'))
    expect(urls).toEqual([
      { field: 'url', before: null, after: maskOf() },
      { field: 'url', before: maskOf(), after: maskOf() },
    ])
  })

  it('cannot be used without its key, and is usable again once it is entered', async () => {
    const { id } = await connect(PATHS[0]!)
    const keyId = deps.secrets.keyId
    const other = createSecretBox(Buffer.alloc(32, 99))
    Object.assign(deps.secrets, other)
    deps.clock.advance(3_600_000)
    await deps.work()
    expect(await listAs(supplier)).toMatchObject({
      status: 'failed',
      config: { url: maskOf() },
      lastError: `The address of this connection was saved with another key (id ${keyId}). Enter it again, or ask your administrator to restore that key.`,
    })
    expect(await describeMissingKeys(deps)).toEqual([
      expect.stringMatching(`The addresses or credentials of 1 connection .* key ${keyId}, `),
    ])
    expect(sourceServer.requests).toHaveLength(1)
    // Other settings can be changed, from a form that has the mask.
    await updateConnection(deps, supplier, { id, name: 'Mine', config: { url: maskOf() } })
    expect((await readRow()).config.sealedUrl).toMatch(`${keyId}.`)

    await updateConnection(deps, supplier, { id, config: { url: sourceServer.url(PATHS[0]!) } })
    await deps.work()
    expect(sourceServer.requests).toHaveLength(2)
    expect(await listAs(supplier)).toMatchObject({ status: 'synced', lastError: null })
    expect(await describeMissingKeys(deps)).toEqual([])
  })

  it('is not sent to another origin, nor for another supplier, even when the database was edited', async () => {
    await connect(PATHS[0]!)
    const { config } = await readRow()
    const other = await createSupplierUser(deps)
    const edits = [
      { config: { ...config, url: 'http://127.0.0.2' } },
      { config, supplierId: other.id },
    ]
    for (const edit of edits) {
      await deps.db.updateTable('connections').set(edit).execute()
      deps.clock.advance(24 * 3_600_000)
      await deps.work()
      expect((await readRow()).lastError).toBe(
        'The address of this connection was damaged. Enter it again.',
      )
    }
    expect(sourceServer.requests).toHaveLength(1)
  })
})

it('without a place for a secret stays as it is, and is shown to administrators', async () => {
  const { id } = await connect('/feed.csv')
  expect((await readRow()).config).toEqual({ url: sourceServer.url('/feed.csv') })
  expect((await listAsAdmin())?.config.url).toBe(sourceServer.url('/feed.csv'))
  const before = await readRow()
  await updateConnection(deps, supplier, { id, config: { url: sourceServer.url('/feed.csv') } })
  expect(await readRow()).toEqual(before)
})
