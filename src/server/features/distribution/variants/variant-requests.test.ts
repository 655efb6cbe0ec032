import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import type { Deps } from '../../../domain/deps'
import type { FilterTask } from '../../../files/file-readers'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { getLatestFile, openRetailerFile } from '../downloads/retailer-files'
import { deleteRetailer, updateRetailer } from '../retailers/retailers'
import { requestVariantsInUse } from './variant-requests'
import { buildWaitingVariants } from './variants'

const FILE = 'sku,category\r\n1,A\r\n2,B\r\n3,C\r\n'

let sourceServer: SourceServer
let deps: TestDeps
/** The same dependencies with a queue that drops all work. */
let idle: Deps
let supplier: UserRecord

beforeEach(async () => {
  sourceServer = await startSourceServer()
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
  idle = { ...deps, queue: { ...deps.queue, add: async () => undefined } }
  supplier = await createSupplierUser(deps, { maxRetailers: 300 })
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

async function publish(owner: UserRecord, body = FILE) {
  sourceServer.set(`/${owner.id}.csv`, { body })
  const own = deps.db.selectFrom('connections').select('id').where('supplierId', '=', owner.id)
  if (!(await own.executeTakeFirst())) {
    await createSupplierConnection(deps, owner, sourceServer.url(`/${owner.id}.csv`))
  }
  await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
  await deps.work()
}

const seeing = (...categories: string[]) => ({ allProducts: false, categories })

const change = (id: number, ...categories: string[]) =>
  updateRetailer(idle, supplier, { id, visibilitySettings: seeing(...categories) })

const waiting = async () => {
  const rows = await deps.db
    .selectFrom('variants')
    .select('view')
    .where('status', '=', 'processing')
    .orderBy('view')
    .execute()
  return rows.map(({ view }) => view.categories)
}

const build = () => buildWaitingVariants(deps, new AbortController().signal)

describe('requests for filtered files', () => {
  it('keep only the latest of a retailer, however often its categories change', async () => {
    await publish(supplier)
    const { id, user } = await createLinkedRetailer(deps, supplier)
    for (let index = 0; index < 30; index++) {
      await change(id, `C${index}`)
      await getLatestFile(idle, user, id)
    }
    expect(await waiting()).toEqual([['c29']])
    await updateRetailer(idle, supplier, {
      id,
      visibilitySettings: { ...seeing(), allProducts: true },
    })
    expect(await waiting()).toEqual([])
  })

  it('are kept while any retailer has the categories', async () => {
    await publish(supplier)
    const shops = [
      await createLinkedRetailer(deps, supplier, seeing('A')),
      await createLinkedRetailer(deps, supplier, seeing('A')),
    ] as const
    await getLatestFile(idle, shops[0].user, shops[0].id)
    await change(shops[0].id, 'B')
    expect(await waiting()).toEqual([['a'], ['b']])
    await deleteRetailer(idle, supplier, shops[1].id)
    expect(await waiting()).toEqual([['b']])
  })

  it('of older versions are dropped on publication, unless a retailer reads that version', async () => {
    const reader = await createLinkedRetailer(deps, supplier, seeing('A'))
    await publish(supplier)
    await getLatestFile(deps, reader.user, reader.id)
    const newcomer = await createLinkedRetailer(deps, supplier, seeing('B'))
    const [first] = await deps.db.selectFrom('versions').select('id').execute()
    await publish(supplier, FILE.replace('1', '4'))
    const [, second] = await deps.db
      .selectFrom('versions')
      .select(['id', 'connectionId'])
      .orderBy('id')
      .execute()
    const published = { connectionId: second!.connectionId, versionId: second!.id }
    await deps.db.updateTable('variants').set({ status: 'processing' }).execute()
    await requestVariantsInUse(idle, published)
    const versionIds = async () =>
      new Set(
        (await deps.db.selectFrom('variants').select('versionId').execute()).map(
          ({ versionId }) => versionId,
        ),
      )
    expect(await versionIds()).toEqual(new Set([first!.id, second!.id]))
    deps.clock.advance(DAY_MS)
    await getLatestFile(idle, reader.user, reader.id)
    await getLatestFile(idle, newcomer.user, newcomer.id)
    await requestVariantsInUse(idle, published)
    expect(await versionIds()).toEqual(new Set([second!.id]))
  })

  it('are built in turn by supplier', async () => {
    const other = await createSupplierUser(deps)
    await publish(supplier)
    await publish(other)
    const shops = []
    // More than are built together.
    for (const category of 'ABCDEFGHIJ') {
      shops.push(await createLinkedRetailer(deps, supplier, seeing(category)))
    }
    shops.push(await createLinkedRetailer(deps, other, seeing('A')))
    for (const { id, user } of shops) await getLatestFile(idle, user, id)
    const built: (number | undefined)[] = []
    const { run } = deps.readers
    deps.readers.run = async (...args) => {
      const variant = await deps.db
        .selectFrom('variants')
        .innerJoin('versions', 'versions.id', 'variants.versionId')
        .innerJoin('connections', 'connections.id', 'versions.connectionId')
        .select('connections.supplierId')
        .where('variants.leaseUntil', '>', deps.clock.now())
        .executeTakeFirst()
      built.push(variant?.supplierId)
      return run(...args)
    }
    await build()
    expect(built).toEqual([supplier.id, other.id, supplier.id])
  })

  it('are built once each by workers that build at once, in turn by supplier', async () => {
    const other = await createSupplierUser(deps)
    await publish(supplier)
    await publish(other, 'sku,category\r\n1,Z\r\n')
    const names = ['A', 'B', 'C', 'A, B', 'A, C', 'B, C', 'A, B, C']
    const shops = []
    for (const name of names) {
      shops.push(await createLinkedRetailer(deps, supplier, seeing(...name.split(', '))))
    }
    shops.push(await createLinkedRetailer(deps, other, seeing('Z')))
    for (const { id, user } of shops) await getLatestFile(idle, user, id)
    const tasks: string[][] = []
    const { run } = deps.readers
    deps.readers.run = async (...args) => {
      const { views } = args[1] as FilterTask
      tasks.push(views.map(({ categories }) => categories?.join(', ').toUpperCase() ?? ''))
      return run(...args)
    }
    await Promise.all([build(), build(), build()])
    expect(tasks.flat().toSorted()).toEqual([...names, 'Z'].toSorted())
    // Each worker begins with the first supplier, and goes on with the next one.
    expect(tasks.findIndex((task) => task.includes('Z'))).toBeLessThan(4)
  })

  it('cover, on publication, at most the 200 most recently downloaded category sets', async () => {
    await publish(supplier)
    const shops = []
    for (let index = 0; index < 201; index++) {
      shops.push(await createLinkedRetailer(deps, supplier, seeing(`S${index}`)))
    }
    const last = shops.at(-1)!
    await getLatestFile(deps, last.user, last.id)
    await deps.queue.idle()
    const file = await getLatestFile(deps, last.user, last.id)
    const fileName = 'fileName' in file ? file.fileName : ''
    const opened = await openRetailerFile(deps, last.user, { id: last.id, fileName })
    await opened.onRead?.({ isSent: true })
    await deps.pulls.flush()
    await publish(supplier, FILE.replace('1', '4'))
    const newest = await deps.db
      .selectFrom('variants')
      .select('view')
      .where('versionId', '=', (select) =>
        select.selectFrom('connections').select('publishedVersionId').$castTo<{
          publishedVersionId: number
        }>(),
      )
      .execute()
    expect(newest).toHaveLength(200)
    expect(newest).toContainEqual({ view: { categories: ['s200'], hidden: [] } })
  })
})
