import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { findBrokenFiles, listStoredFiles } from '../../../testing/fixtures/stored-files'
import { openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { cleanStorage } from '../../distribution/stored-files/storage-cleaning'
import { enforceStorageLimits } from '../../distribution/stored-files/storage-quota'
import type { UserRecord } from '../../people/accounts/users.queries'
import { listChangedItems } from './changed-items'
import { compareVersions } from './compare-versions'

const { signal } = new AbortController()
let stage: SyncStage

beforeEach(async () => {
  stage = await openSyncStage()
})
afterEach(() => stage.close())

async function publish(body: string) {
  stage.sourceServer.set('/feed.csv', { body })
  stage.deps.clock.advance(24 * 60 * 60_000)
  await stage.deps.work()
}

const versions = () => stage.deps.db.selectFrom('versions').selectAll().orderBy('id').execute()

const lastComparison = async () => (await versions()).at(-1)?.difference

describe('the files of syncs', () => {
  it('are compared by their keys', async () => {
    await stage.publishFirst()
    await publish('sku,qty\r\n2,0\r\n3,1\r\n')
    expect(await lastComparison()).toEqual({
      keyColumn: 'sku',
      before: 2,
      after: 2,
      added: 1,
      removed: 1,
      changed: 1,
      unchanged: 0,
      quantityUp: 0,
      quantityDown: 1,
      newlyZero: 1,
      examples: expect.arrayContaining([
        { kind: 'removed', key: '1', before: 5, after: null },
        { kind: 'zero', key: '2', before: 7, after: 0 },
      ]),
    })
    expect(await versions()).toMatchObject([
      { keyColumn: 'sku', keyQuantityColumn: 'qty', keyCount: 2, repeatedRows: 0, keylessRows: 0 },
      { keyColumn: 'sku', keyCount: 2 },
    ])
  })

  it('are not compared when one has no keys, or has them in another column', async () => {
    await stage.publishFirst()
    await publish('ean,qty\r\n1,5\r\n2,7\r\n')
    expect(await lastComparison()).toBeNull()
    await publish('code,qty\r\n1,5\r\n2,7\r\n')
    expect(await lastComparison()).toBeNull()
    await publish('product code,qty\r\n1,5\r\n2,7\r\n')
    expect(await lastComparison()).toBeNull()
  })

  /** Without those of the history of items. */
  async function listVersionFiles(): Promise<string[]> {
    const { db } = stage.deps
    const ofHistory = await db.selectFrom('historyFiles').select('sha256').execute()
    const hashes = new Set(ofHistory.map(({ sha256 }) => sha256))
    return (await listStoredFiles(stage.deps)).filter((hash) => !hashes.has(hash))
  }

  it('are stored and deleted with their key files and lists of gone items, which count in the quota', async () => {
    const { deps } = stage
    await stage.publishFirst()
    await publish('sku,qty\r\n2,0\r\n3,1\r\n')
    const [first] = await versions()
    expect(await findBrokenFiles(deps)).toEqual([])
    await cleanStorage(deps, signal)
    expect(await listVersionFiles()).toHaveLength(5)
    const sizes = (await versions()).map(
      ({ sizeBytes, keysBytes, goneBytes }) => sizeBytes + (keysBytes ?? 0) + (goneBytes ?? 0),
    )
    const connectionId = first!.connectionId
    deps.config.maxStoragePerSupplierBytes = sizes[0]! + sizes[1]!
    expect(await enforceStorageLimits(deps, connectionId)).toMatchObject({ versions: 0 })
    deps.config.maxStoragePerSupplierBytes -= 1
    expect(await enforceStorageLimits(deps, connectionId)).toMatchObject({ versions: 1 })
    expect(await listVersionFiles()).toHaveLength(3)
    // Back to the first file: the list of the second goes with it.
    await publish('sku,qty\r\n1,5\r\n2,7\r\n3,1\r\n')
    expect(await enforceStorageLimits(deps, connectionId)).toMatchObject({ versions: 0 })
    expect(await listVersionFiles()).toHaveLength(2)
    expect(await findBrokenFiles(deps)).toEqual([])
  })
})

describe('two versions', () => {
  const compare = async (actor: UserRecord, [older, newer]: { id: number }[]) => {
    const { id } = await stage.current()
    return compareVersions(stage.deps, actor, { id, olderId: older!.id, newerId: newer!.id })
  }

  it('are compared for their supplier with their columns, in either direction', async () => {
    await stage.publishFirst()
    await publish('sku,name,qty\r\n2,Boot,0\r\n3,Hat,1\r\n')
    const stored = await versions()
    expect((await compare(stage.supplier, stored)).found).toMatchObject({
      difference: { added: 1, removed: 1, changed: 1, newlyZero: 1 },
      columns: { added: ['name'], removed: [], changed: [{ name: 'qty', rows: 1 }], isWhole: true },
    })
    expect((await compare(stage.supplier, stored.toReversed())).found).toMatchObject({
      difference: { added: 1, removed: 1, changed: 1, quantityUp: 1 },
      columns: { added: [], removed: ['name'] },
    })
  })

  it('have their changed items listed for their supplier, by the columns that it has chosen', async () => {
    const { deps, supplier } = stage
    await stage.publishFirst()
    await publish('sku,qty,fee\n1,5,3\n2,7,3\n')
    await publish('sku,qty,fee\n1,5,4\n2,8,3\n')
    const [older, newer] = (await versions()).slice(-2)
    const { id } = await stage.current()
    const input = { id, olderId: older!.id, newerId: newer!.id, q: '' }
    const kinds = async () => {
      const { items } = await listChangedItems(deps, supplier, input)
      return items.map(({ key, kinds: found }) => `${key} ${found.join(' ')}`)
    }
    expect(await kinds()).toEqual(['1 other', '2 quantity'])
    const roles = { sku: null, quantity: null, barcode: null, price: 'fee' }
    const columnPolicy = columnPolicySchema.parse({ roles })
    await deps.db.updateTable('connections').set({ columnPolicy }).execute()
    expect(await kinds()).toEqual(['1 price', '2 quantity'])
    const other = await createSupplierUser(deps)
    await expect(listChangedItems(deps, other, input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await deps.db.updateTable('versions').set({ keysSha256: null }).execute()
    await expect(listChangedItems(deps, supplier, input)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('are not compared without keys, and not for another supplier or connection', async () => {
    await stage.publishFirst()
    await publish('name,colour\r\na,b\r\n')
    const stored = await versions()
    await stage.deps.db
      .updateTable('connections')
      .set({ publishedVersionId: stored[0]!.id })
      .execute()
    expect(await compare(stage.supplier, stored)).toEqual({
      found: null,
      obstacle: expect.stringContaining('without a column of SKUs'),
    })
    const other = await createSupplierUser(stage.deps)
    await expect(compare(other, stored)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await createSupplierConnection(stage.deps, other, stage.sourceServer.url('/feed.csv'))
    await stage.deps.work()
    const foreign = (await versions()).find(
      ({ connectionId }) => connectionId !== stored[0]!.connectionId,
    )
    await expect(compare(stage.supplier, [stored[0]!, foreign!])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
