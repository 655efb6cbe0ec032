import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openTestDeps, type TestDeps } from '../../testing/stages/test-deps'
import { inTransaction } from '../open'
import type { ConnectionChanges } from '../schema'
import { prepare } from './prepare'

type Topic = { topic: string }

let deps: TestDeps
let built: number

beforeEach(async () => {
  deps = await openTestDeps()
  built = 0
})
afterEach(() => deps.close())

const insert = prepare((db, values: Topic) => db.insertInto('changes').values(values))

const prepareFind = () =>
  prepare((db, { topic }: Topic) => {
    built += 1
    return db.selectFrom('changes').select('topic').where('topic', '=', topic).limit(1)
  })

describe('a prepared statement', () => {
  it('is built once, and executed with other values', async () => {
    const find = prepareFind()
    await inTransaction(deps.db, async (trx) => {
      for (const topic of ['a', 'b']) await insert(trx, { topic }).execute()
      expect(await find(trx, { topic: 'a' }).execute()).toEqual([{ topic: 'a' }])
    })
    expect(await find(deps.db, { topic: 'b' }).executeTakeFirst()).toEqual({ topic: 'b' })
    expect(await find(deps.db, { topic: 'c' }).executeTakeFirst()).toBeUndefined()
    await expect(find(deps.db, { topic: 'c' }).executeTakeFirstOrThrow()).rejects.toThrow('no row')
    expect(built).toBe(1)
  })

  it('is built anew for other values than before, of which undefined is none', () => {
    const texts: string[] = []
    const update = prepare((db, { id, ...changes }: ConnectionChanges & { id: number }) => {
      const statement = db.updateTable('connections').set(changes).where('id', '=', id)
      texts.push(statement.compile().sql)
      return statement
    })
    update(deps.db, { id: 1, name: 'a' })
    update(deps.db, { id: 2, name: 'b', lastError: undefined })
    update(deps.db, { id: 1, name: 'a', lastError: null })
    expect(
      texts.map((text) => /set (.*) where/.exec(text)?.[1]?.replaceAll(/\$\d|\+\?/g, '*')),
    ).toEqual(['"name" = *', '"name" = *, "lastError" = *'])
  })
})
