import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openTestDeps, type TestDeps } from '../../testing/stages/test-deps'
import { engineOf } from '../engine'
import { inTransaction } from '../open'
import { rememberReads, type Reading, type RememberedReads } from './remember'

type Value = { name: string }

let deps: TestDeps
let memory: RememberedReads<Value>
let reads: number

beforeEach(async () => {
  deps = await openTestDeps()
  memory = rememberReads<Value>(deps, { max: 2 })
  reads = 0
})
afterEach(() => deps.close())

/** PostgreSQL knows by its transaction what has changed since a look. */
const change = (topic: string) =>
  inTransaction(deps.db, async (trx) => {
    const isPostgres = engineOf(deps.db).name === 'PostgreSQL'
    const transactionId = sql<number>`pg_current_xact_id()::text::bigint`
    const values = { topic, ...(isPostgres && { transactionId }) }
    await trx.insertInto('changes').values(values).execute()
  })

const get = (key = 'a', reading: Partial<Reading<Value | undefined>> = {}) =>
  memory.get(key, async () => {
    reads += 1
    return { value: { name: `${key}${reads}` }, topics: ['user 1', 'user 2'], ...reading }
  })

describe('what was read', () => {
  it('is remembered until something that it was read from changes', async () => {
    const first = await get()
    await change('user 3')
    expect(await get()).toBe(first)
    expect(memory.recall('a')).toBe(first)
    await change('user 2')
    expect(memory.recall('a')).toBeUndefined()
    expect(await get()).toEqual({ name: 'a2' })
  })

  it('is not remembered when something of it changes meanwhile', async () => {
    const stale = await memory.get('a', async () => {
      await change('user 1')
      memory.recall('a')
      return { value: { name: 'stale' }, topics: ['user 1'] }
    })
    expect(stale).toEqual({ name: 'stale' })
    expect(memory.recall('a')).toBeUndefined()
  })

  it('is not remembered when something of it changes before its end, and is told of later', async () => {
    await memory.get('a', async () => {
      await change('user 1')
      return { value: { name: 'stale' }, topics: ['user 1'] }
    })
    expect(memory.recall('a')).toBeUndefined()
  })

  it('is remembered until the time that it names, and not before it was read', async () => {
    const until = deps.clock.now() + 1_000
    await get('a', { until })
    deps.clock.advance(999)
    expect(memory.recall('a')).toEqual({ name: 'a1' })
    deps.clock.advance(1)
    expect(memory.recall('a')).toBeUndefined()
    await get()
    deps.clock.advance(-1)
    expect(memory.recall('a')).toBeUndefined()
  })

  it('is not remembered if it is nothing, has no topics or failed', async () => {
    expect(await get('a', { value: undefined })).toBeUndefined()
    await get('a', { topics: undefined })
    const failed = memory.get('a', () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    await get()
    expect(reads).toBe(3)
  })

  it('is remembered of so many keys, those asked for last', async () => {
    for (const key of ['a', 'b', 'a', 'c']) await get(key)
    expect(['a', 'b', 'c'].map((key) => memory.recall(key)?.name)).toEqual(['a1', undefined, 'c3'])
    await change('user 1')
    expect(['a', 'c'].map((key) => memory.recall(key))).toEqual([undefined, undefined])
  })
})
