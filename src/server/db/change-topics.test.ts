import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSupplierUser } from '../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'
import { deleteOldChanges, readChanges } from './change-topics'
import { inTransaction } from './open'

let deps: TestDeps
let userId: number

beforeEach(async () => {
  deps = await openTestDeps()
  userId = (await createSupplierUser(deps)).id
})
afterEach(() => deps.close())

const rename = (displayName: string) =>
  inTransaction(deps.db, (trx) =>
    trx.updateTable('users').set({ displayName }).where('id', '=', userId).execute(),
  )

const readMark = async () => (await readChanges(deps.db, undefined)).mark

describe('the changes since a mark', () => {
  it('are none without one', async () => {
    await rename('A')
    expect((await readChanges(deps.db, undefined)).topics).toEqual([])
  })

  it('are read once', async () => {
    const before = await readMark()
    await rename('A')
    const { mark, topics } = await readChanges(deps.db, before)
    expect(topics).toEqual([`user ${userId}`])
    expect((await readChanges(deps.db, mark)).topics).toEqual([])
  })

  it('do not include what was rolled back', async () => {
    const mark = await readMark()
    const failed = inTransaction(deps.db, async (trx) => {
      await trx.deleteFrom('users').where('id', '=', userId).execute()
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect((await readChanges(deps.db, mark)).topics).toEqual([])
  })

  it('include what goes with a deleted row', async () => {
    const session = { idHash: 'abc', userId, data: {}, createdAt: 1, touchedAt: 1, expiresAt: 2 }
    await deps.db.insertInto('sessions').values(session).execute()
    const mark = await readMark()
    await inTransaction(deps.db, (trx) =>
      trx.deleteFrom('users').where('id', '=', userId).execute(),
    )
    const { topics } = await readChanges(deps.db, mark)
    expect(new Set(topics)).toEqual(
      new Set(['session abc', `sessions ${userId}`, `user ${userId}`]),
    )
  })
})

const addMany = () =>
  sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 50010)
    insert into changes (topic) select 'user 1' from counted`.execute(deps.db)

describe('old changes', () => {
  it('are deleted, but for the newest 50,000', async () => {
    await addMany()
    await inTransaction(deps.db, deleteOldChanges)
    const left = deps.db.selectFrom('changes').select(({ fn }) => fn.countAll<number>().as('count'))
    expect(await left.executeTakeFirst()).toEqual({ count: 50_000 })
  })

  it('may have been of any topic once some are deleted that were not read', async () => {
    const mark = await readMark()
    await rename('A')
    await addMany()
    await inTransaction(deps.db, deleteOldChanges)
    const late = await readChanges(deps.db, mark)
    expect(late.topics).toBe('all')
    await rename('B')
    expect((await readChanges(deps.db, late.mark)).topics).toEqual([`user ${userId}`])
  })
})
