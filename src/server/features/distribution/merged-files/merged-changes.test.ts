import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/durations'
import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { createGroupInput, updateGroupInput } from '../../../../shared/schemas/group'
import { saveMergedFileInput } from '../../../../shared/schemas/merged-file'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { inTransaction } from '../../../db/open'
import type { UserRow } from '../../../db/schema'
import { reloadUser } from '../../../testing/fixtures/factories'
import { listStoredFiles } from '../../../testing/fixtures/stored-files'
import {
  openMergedFileStage,
  type MergedFileStage,
} from '../../../testing/stages/merged-file-stage'
import { listReferencedFiles } from '../../catalogue/versions/versions.queries'
import { saveColumnPolicy } from '../column-policy/column-policy'
import { createGroup, getGroup, updateGroup } from '../groups/groups'
import { assignGroup } from '../groups/members'
import { saveMergedFile } from './merged-file'
import { checkMergedFilesOf } from './merged-files.queries'

let stage: MergedFileStage
beforeEach(async () => {
  stage = await openMergedFileStage()
})
afterEach(() => stage.close())

type Added = { retailerId: number; supplier: Pick<UserRow, 'id'> }

const settingsOf = ({ retailerId }: Added, rules: object = {}, prefix = 'N-') => ({
  rules,
  profile: { kind: 'asIs' },
  parts: [{ retailerId, prefix }],
})

/** A merged file of one supplier's. */
async function mergeOne(csv: string, rules: object = {}) {
  const north = await stage.addSupplier(csv)
  await stage.save(settingsOf(north, rules))
  return {
    north,
    token: await stage.address(),
    supplier: await reloadUser(stage.deps, north.supplier),
  }
}

/** Has something happen while the next merged file is made, which takes so long. */
function duringNextMerge(tookMs: number, happen: () => Promise<unknown>): void {
  const { readers, clock, db } = stage.deps
  const run = readers.run.bind(readers)
  let isNext = true
  readers.run = async (kind, ...rest) => {
    const result = await run(kind, ...rest)
    if (kind !== 'mergedFile' || !isNext) return result
    isNext = false
    for (let passed = 0; passed < tookMs; passed += 8 * SECOND_MS) {
      clock.advance(8 * SECOND_MS)
      // As its lease is kept.
      const leaseUntil = clock.now() + 30 * SECOND_MS
      await db.updateTable('mergedFiles').set({ leaseUntil }).execute()
    }
    await happen()
    return result
  }
}

describe('a change while a merged file is made', () => {
  it.each([8, 40])('of its settings is made next, also when that takes %i s', async (seconds) => {
    const { north, token } = await mergeOne('sku,quantity\r\n1,5\r\n')
    duringNextMerge(seconds * SECOND_MS, async () => {
      const input = saveMergedFileInput.parse(settingsOf(north, {}, 'NEW-'))
      await saveMergedFile(stage.deps, await reloadUser(stage.deps, stage.retailer), input)
    })
    stage.deps.clock.advance(2 * MINUTE_MS)
    await stage.publish(await reloadUser(stage.deps, north.supplier), 'sku,quantity\r\n1,6\r\n')
    await stage.settle()
    expect((await stage.read(token)).content).toContain('NEW-1')
  })

  it('of what a part may have is made next', async () => {
    const { supplier, token } = await mergeOne('sku,quantity\r\n1,5\r\n')
    const { db, clock } = stage.deps
    duringNextMerge(40 * SECOND_MS, () =>
      inTransaction(db, async (trx) => {
        const profile = shopFormatSchema.parse({ kind: 'stock', buffer: 4 })
        await trx.updateTable('retailers').set({ profile }).execute()
        await checkMergedFilesOf(trx, { supplierId: supplier.id }, clock.now())
      }),
    )
    clock.advance(2 * MINUTE_MS)
    await stage.publish(supplier, 'sku,quantity\r\n1,6\r\n')
    await stage.settle()
    expect((await stage.read(token)).content).toMatch(/N-1,,2/)
  })

  it('comes in when the process that made it has died', async () => {
    const { supplier, token } = await mergeOne('sku,quantity\r\n1,5\r\n')
    const { clock, db } = stage.deps
    clock.advance(2 * MINUTE_MS)
    const dead = { checkAt: null, leaseToken: 'dead', leaseUntil: clock.now() + 30 * SECOND_MS }
    await db.updateTable('mergedFiles').set(dead).execute()
    await db.updateTable('mergedParts').set({ partKey: null }).execute()
    stage.source.set(`/${supplier.id}.csv`, { body: 'sku,quantity\r\n1,6\r\n' })
    await stage.settle()
    const { checkAt, leaseToken } = await db
      .selectFrom('mergedFiles')
      .select(['checkAt', 'leaseToken'])
      .executeTakeFirstOrThrow()
    expect([leaseToken, checkAt]).toEqual([null, expect.any(Number)])
    expect((await stage.read(token)).rowCount).toBe(1)
  })
})

describe('a merged file', () => {
  it('follows what a supplier changes for a group of retailers', async () => {
    const { north, supplier, token } = await mergeOne('sku,quantity\r\n1,5\r\n2,50\r\n')
    const { deps } = stage
    const { id } = await createGroup(deps, supplier, createGroupInput.parse({ name: 'Gold' }))
    await assignGroup(deps, supplier, { ids: [north.retailerId], groupId: id })
    await stage.settle()
    const { profile } = await getGroup(deps, supplier, id)
    const changed = { id, profile: { ...profile, kind: 'stock', buffer: 10 } }
    await updateGroup(deps, supplier, updateGroupInput.parse(changed))
    await stage.settle()
    const { rows } = await stage.read(token)
    expect(
      rows
        .slice(1)
        .map(([sku, , quantity]) => `${sku} ${quantity}`)
        .toSorted(),
    ).toEqual(['N-1 0', 'N-2 40'])
  })

  it('follows what a supplier says of its columns', async () => {
    const { north, supplier, token } = await mergeOne('sku,quantity\r\n1,5\r\n2,plenty\r\n')
    const { id } = await stage.deps.db
      .selectFrom('connections')
      .select('id')
      .where('supplierId', '=', north.supplier.id)
      .executeTakeFirstOrThrow()
    const policy = columnPolicySchema.parse({ stockTexts: [{ text: 'plenty', quantity: 99 }] })
    await saveColumnPolicy(stage.deps, supplier, { id, policy })
    await stage.settle()
    expect((await stage.read(token)).content).toMatch(/N-2,,99/)
  })

  it('has the quantities of a part again soon after its supplier still had the same', async () => {
    const csv = 'sku,quantity\r\n1,5\r\n'
    const { supplier, token } = await mergeOne(csv, { maxAgeHours: 1 })
    await stage.settle(2 * HOUR_MS)
    expect((await stage.read(token)).content).toMatch(/N-1,,0/)
    await stage.publish(supplier, csv)
    await stage.settle(6 * MINUTE_MS)
    expect((await stage.read(token)).content).toMatch(/N-1,,5/)
  })

  it('leaves no file of a part that another one has replaced', async () => {
    const { supplier } = await mergeOne('sku,quantity\r\n1,5\r\n')
    stage.deps.clock.advance(2 * MINUTE_MS)
    await stage.publish(supplier, 'sku,quantity\r\n1,6\r\n')
    await stage.settle()
    const stored = await listStoredFiles(stage.deps)
    const named = await listReferencedFiles(stage.deps.db, stored)
    expect(stored.filter((sha256) => !named.has(sha256))).toEqual([])
  })
})

describe('another form of a merged file than its own', () => {
  const asJson = (token: string) => stage.read(token, null, 'json')

  it('is made of each new version while it is read, and no longer', async () => {
    const { supplier, token } = await mergeOne('sku,quantity\r\n1,5\r\n')
    await expect(asJson(token)).rejects.toThrow('being prepared')
    await stage.settle()
    for (let quantity = 6; quantity < 9; quantity += 1) {
      await stage.publish(supplier, `sku,quantity\r\n1,${quantity}\r\n`)
      await stage.settle(20 * HOUR_MS)
      expect((await asJson(token)).content).toContain(`"quantity":${quantity}`)
    }
    await stage.settle(8 * 24 * HOUR_MS)
    await stage.publish(supplier, 'sku,quantity\r\n1,9\r\n')
    await stage.settle()
    const forms = await stage.deps.db
      .selectFrom('mergedOutputs')
      .select(['mergedVersionId', 'form'])
      .execute()
    const newest = Math.max(...forms.map(({ mergedVersionId }) => mergedVersionId))
    expect(forms.filter(({ mergedVersionId }) => mergedVersionId === newest)).toHaveLength(1)
  })

  it('is that of the version before until it is made, unless that may not be seen any more', async () => {
    const { north, supplier, token } = await mergeOne('sku,quantity,category\r\n1,5,Hats\r\n')
    await expect(asJson(token)).rejects.toThrow('being prepared')
    await stage.settle()
    const before = await asJson(token)
    await stage.publish(supplier, 'sku,quantity,category\r\n1,6,Hats\r\n')
    await stage.settle()
    const { db } = stage.deps
    const newest = db.selectFrom('mergedVersions').select(({ fn }) => fn.max('id').as('id'))
    await db
      .updateTable('mergedOutputs')
      .set({ status: 'waiting' })
      .where('mergedVersionId', '=', newest)
      .where('form', '=', 'json')
      .execute()
    expect((await asJson(token)).content).toBe(before.content)
    await db
      .updateTable('retailers')
      .set({ isAllProducts: false, categories: ['Shoes'] })
      .where('id', '=', north.retailerId)
      .execute()
    await expect(asJson(token)).rejects.toThrow('being prepared')
  })
})
