import { afterEach, beforeEach, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../../shared/durations'
import { mergedRulesSchema } from '../../../../shared/schemas/merged-file'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { inTransaction } from '../../../db/open'
import { createRetailerUser, createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { insertMergedFile, listDueMergedFiles } from './merged-files.queries'

let deps: TestDeps
let now: number
beforeEach(async () => {
  deps = await openTestDeps()
  now = deps.clock.now()
})
afterEach(() => deps.close())

/** A company with a merged file of these suppliers' parts, due for so long. */
async function addMergedFile(supplierIds: number[], dueForMs: number): Promise<number> {
  const { id: userId } = await createRetailerUser(deps)
  const mergedFileId = await inTransaction(deps.db, (trx) =>
    insertMergedFile(trx, {
      userId,
      profile: shopFormatSchema.parse({}),
      mergedRules: mergedRulesSchema.parse({}),
      createdAt: now,
      checkAt: now - dueForMs,
    }),
  )
  for (const supplierId of supplierIds) {
    const { id: retailerId } = await deps.db
      .insertInto('retailers')
      .values({ userId, supplierId, syncFrequencyMinutes: 1, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await deps.db
      .insertInto('mergedParts')
      .values({ mergedFileId, retailerId, place: 0, prefix: 'N-' })
      .execute()
  }
  return mergedFileId
}

it('a supplier with many retailers, whose merged files have been due for longer, delays nobody else’s', async () => {
  const { id: large } = await createSupplierUser(deps)
  const { id: small } = await createSupplierUser(deps)
  const many = []
  for (let count = 9; count > 0; count -= 1) {
    many.push(await addMergedFile([large], count * MINUTE_MS))
  }
  const few = [await addMergedFile([small, large], 20), await addMergedFile([small], 10)]
  await addMergedFile([small], -MINUTE_MS)
  const next = await listDueMergedFiles(deps.db, now, 4)
  expect(next).toEqual([many[0], few[0], many[1], few[1]])
  const all = await listDueMergedFiles(deps.db, now, 50)
  expect(all.toSorted((one, other) => one - other)).toEqual([...many, ...few])
})

it('one of which nobody has a part any more is listed too', async () => {
  const alone = await addMergedFile([], 0)
  expect(await listDueMergedFiles(deps.db, now, 50)).toEqual([alone])
})
