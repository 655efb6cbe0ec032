import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import { previewSourceInput } from '../../../../shared/schemas/connection'
import { type OverlayInput, overlayInput } from '../../../../shared/schemas/overlay'
import { SECRET_MASK } from '../../../../shared/schemas/source-auth'
import { collectRows } from '../../../testing/fixtures/collect-rows'
import {
  createAdmin,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { recordLog, type LogRecorder } from '../../../testing/fixtures/log-lines'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { getSupplier } from '../../operations/suppliers/supplier-observation'
import type { UserRecord } from '../../people/accounts/users.queries'
import { eachConnection, listConnections, updateConnection } from './connections'
import { previewSource } from './source-preview'

const TOKEN = 'open-sesame-open-sesame'
const PATH = `/stock.csv?key=${TOKEN}`
const auth = { type: 'basic', username: 'acme', password: 'hunter2' } as const

let server: SourceServer
let log: LogRecorder
let deps: TestDeps
let supplier: UserRecord
let admin: UserRecord
let id: number

beforeEach(async () => {
  server = await startSourceServer()
  server.set('/file.csv', { body: 'sku,name\r\n1,One\r\n' })
  server.set(PATH, { body: 'sku,qty\r\n1,5\r\n' })
  log = recordLog()
  const fetchAllow = [server.host, `localhost:${server.port}`]
  deps = await openTestDeps({ fetchAllow }, { logger: log.logger })
  supplier = await createSupplierUser(deps)
  admin = await createAdmin(deps)
  id = (await createSupplierConnection(deps, supplier, server.url('/file.csv'))).id
})
afterEach(async () => {
  await deps.close()
  await server.close()
})

const save = (changes: Partial<OverlayInput> = {}, actor = supplier) =>
  updateConnection(deps, actor, {
    id,
    overlay: overlayInput.parse({ url: server.url(PATH), ...changes }),
  })
const readRow = () => deps.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()
const sync = async () => {
  deps.clock.advance(3_600_000)
  server.requests.length = 0
  await deps.work()
}
const mask = () => `${new URL(server.url('/')).origin}/••••••`

describe('an overlay', () => {
  it('is stored with its secrets encrypted, and its address and credentials are told nowhere', async () => {
    await save({ auth })
    await deps.work()
    expect(server.requests.map(({ path }) => path)).toEqual([PATH, '/file.csv'])
    expect(server.requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('acme:hunter2').toString('base64')}`,
    )
    expect(server.requests[1]?.headers.authorization).toBeUndefined()
    const tables = ['connections', 'auditEntries', 'syncRuns', 'versions', 'events'] as const
    const rows = await Promise.all(
      tables.map((table) => deps.db.selectFrom(table).selectAll().execute()),
    )
    expect(JSON.stringify(rows) + log.text()).not.toMatch(/open-sesame|hunter2/)
  })

  it('is fetched with its credentials, of which a reader gets nothing in a sync or a preview', async () => {
    const { run } = deps.readers
    const read: object[] = []
    deps.readers.run = async (kind, given, options) => {
      const task = typeof given === 'function' ? await given() : given
      read.push(task)
      return run(kind, task, options)
    }
    await save({ auth })
    await deps.work()
    const input = previewSourceInput.parse({ url: server.url('/file.csv'), connectionId: id })
    expect((await previewSource(deps, supplier, input)).overlay?.counts).toMatchObject({
      joined: 1,
    })
    expect(read.filter((task) => 'overlay' in task && task.overlay)).toHaveLength(2)
    expect(JSON.stringify(read)).not.toMatch(/open-sesame|hunter2|Basic/)
  })

  it('is shown whole to its supplier, and masked to administrators and who views as the supplier', async () => {
    const { overlay } = await save({ auth })
    expect(overlay).toEqual({
      url: server.url(PATH),
      auth: { type: 'basic', username: 'acme', password: SECRET_MASK },
      reading: AUTOMATIC_READING,
      onlyInFile: 'keep',
      onlyInOverlay: 'leave-out',
    })
    const viewAs = { by: admin, endsAt: deps.clock.now() + 1 }
    const others = [
      (await listConnections(deps, { ...supplier, viewAs }))[0],
      (await collectRows(eachConnection(deps, admin)))[0],
      (await getSupplier(deps, supplier.id)).connection,
      await updateConnection(deps, admin, { id, name: 'Renamed' }),
    ]
    expect(others.map((one) => one?.overlay?.url)).toEqual(Array(4).fill(mask()))
    expect(JSON.stringify(others)).not.toMatch(/open-sesame|hunter2/)
  })

  it('is recorded by its origin and by whether its secret has changed', async () => {
    await save({ auth })
    await save({ auth: { ...auth, password: 'other' }, onlyInFile: 'leave-out' })
    const entries = await deps.db
      .selectFrom('auditEntries')
      .select('changes')
      .orderBy('id')
      .execute()
    const changes = entries.flatMap((entry) => entry.changes ?? [])
    expect(changes).toContainEqual({ field: 'overlay.url', before: null, after: mask() })
    expect(changes).toContainEqual({
      field: 'overlay.secret',
      before: SECRET_MASK,
      after: SECRET_MASK,
    })
    expect(changes).toContainEqual({
      field: 'overlay.onlyInFile',
      before: 'keep',
      after: 'leave-out',
    })
  })

  it('is kept when it is sent back masked, with its credentials and its reading, and read no sooner', async () => {
    await save({ auth, reading: { ...AUTOMATIC_READING, delimiter: ',' } })
    await deps.work()
    const before = await readRow()
    await save({ url: mask() }, admin)
    await save({ auth: { ...auth, password: SECRET_MASK } })
    await updateConnection(deps, supplier, { id, name: before.name })
    expect(await readRow()).toEqual(before)
  })

  it('loses its credentials with another origin, to which they are never sent', async () => {
    await save({ auth })
    const url = server.url(PATH).replace('127.0.0.1', 'localhost')
    await save({ url })
    await sync()
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
    const masked = { url: server.url(PATH), auth: { ...auth, password: SECRET_MASK } }
    await expect(save(masked)).rejects.toMatchObject({ field: 'overlay.auth.password' })
  })

  it('cannot be opened with what is encrypted for the source, nor the other way round', async () => {
    await save({ auth })
    const { overlay } = await readRow()
    const { url, sealedUrl, auth: stored } = overlay!
    const moved = [
      { url, sealedUrl: sealedUrl! },
      { url, auth: stored! },
    ]
    for (const config of moved) {
      await deps.db.updateTable('connections').set({ config, overlay: null }).execute()
      await sync()
      expect(server.requests).toEqual([])
      expect((await readRow()).lastError).toMatch(/of this connection (?:was|were) damaged/)
    }
  })

  it('whose secret cannot be decrypted says that it is the second address', async () => {
    await save({ auth })
    const { overlay } = await readRow()
    const damaged = { ...overlay!, auth: { ...overlay!.auth!, sealed: 'x' } }
    await deps.db.updateTable('connections').set({ overlay: damaged }).execute()
    await sync()
    expect((await readRow()).lastError).toMatch(
      /^The credentials for the second address of this connection were saved with another key/,
    )
  })
})
