import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { openFileDeps } from '../../../testing/fixtures/stock'
import { listStoredFiles, loseContent } from '../../../testing/fixtures/stored-files'
import { openDigestStage, type DigestStage } from '../../../testing/stages/digest-stage'
import { removeCompany } from '../../operations/personal-data/remove-accounts'
import type { UserRecord } from '../../people/accounts/users.queries'
import { cleanStorage } from '../stored-files/storage-cleaning'
import { findNextVersion } from './item-histories.queries'
import { readItemHistory } from './item-history'
import { choosePastToJoin, dropOldest, planChanges } from './kept-files'
import { writeWaitingHistories } from './write-histories'
import { addVersion } from './write-history'

const { signal } = new AbortController()
let stage: DigestStage

beforeEach(async () => {
  stage = await openDigestStage()
})
afterEach(() => stage.close())

const toBody = (quantities: (number | null)[]) =>
  `sku,qty\r\n${quantities.map((qty, key) => (qty === null ? '' : `K${key},${qty}\r\n`)).join('')}`

const connectionId = async () =>
  (await stage.deps.db.selectFrom('connections').select('id').executeTakeFirstOrThrow()).id
const look = async (supplier: UserRecord, key: string) => {
  const { points } = await readItemHistory(stage.deps, supplier, { id: await connectionId(), key })
  return points.map(({ quantity }) => quantity)
}
const historyFiles = () =>
  stage.deps.db.selectFrom('historyFiles').selectAll().orderBy('id').execute()
const history = () =>
  stage.deps.db.selectFrom('itemHistories').selectAll().executeTakeFirstOrThrow()

/** What stored files are named by history rows, and whether any other than versions’ are there. */
async function expectNoLeftovers() {
  const { deps } = stage
  const versions = await deps.db
    .selectFrom('versions')
    .select(['sha256', 'keysSha256', 'goneSha256'])
    .execute()
  const named = new Set(versions.flatMap((row) => [row.sha256, row.keysSha256, row.goneSha256]))
  const kept = (await historyFiles()).map(({ sha256 }) => sha256)
  const others = (await listStoredFiles(deps)).filter((hash) => !named.has(hash))
  expect(new Set(others)).toEqual(new Set(kept))
}

describe('the history of a connection', () => {
  it('has few files however many versions there were, and what none of them names is deleted', async () => {
    const quantities = Array.from({ length: 12 }, (_, key): number | null => key)
    const supplier = await stage.createSupplier(toBody(quantities))
    const expected = quantities.map((quantity) => [quantity])
    for (let version = 1; version <= 28; version++) {
      stage.deps.clock.advance(HOUR_MS)
      const key = (version * 5) % 12
      quantities[key] = version % 7 === 0 ? null : 100 + version
      expected[key]?.push(quantities[key] ?? null)
      await stage.put(supplier, toBody(quantities))
    }
    const files = await historyFiles()
    expect(files.filter(({ kind }) => kind === 'state')).toHaveLength(1)
    expect(files.filter(({ kind }) => kind === 'changes').length).toBeLessThanOrEqual(8)
    const past = files.filter(({ kind }) => kind === 'past').length
    expect(past).toBeGreaterThan(0)
    expect(past).toBeLessThanOrEqual(3)
    for (const [key, wanted] of expected.entries()) {
      expect([key, await look(supplier, `K${key}`)]).toEqual([key, wanted])
    }
    await expectNoLeftovers()
  })

  it('has what was published last, also after the clock was set back', async () => {
    const supplier = await stage.createSupplier(toBody([5]))
    stage.deps.clock.advance(HOUR_MS)
    await stage.put(supplier, toBody([9]))
    stage.deps.clock.advance(-HOUR_MS / 2)
    await stage.put(supplier, toBody([0]))
    expect((await look(supplier, 'K0')).at(-1)).toBe(0)
    stage.deps.clock.advance(HOUR_MS)
    await stage.put(supplier, toBody([3]))
    expect(await look(supplier, 'K0')).toEqual([5, 9, 0, 3])
    const { obstacle, waitingSince } = await history()
    expect([obstacle, waitingSince]).toEqual([null, null])
  })

  it('outlives the versions that it was made of, then with one value a day', async () => {
    const supplier = await stage.createSupplier(toBody([1]))
    for (let version = 1; version <= 40; version++) {
      stage.deps.clock.advance(DAY_MS / 2)
      await stage.put(supplier, toBody([1 + version]))
    }
    const { db } = stage.deps
    const { count } = await db
      .selectFrom('versions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(30)
    const told = await look(supplier, 'K0')
    // At six and at eighteen: of the first eleven, which are gone, the later one of each day.
    expect(told.slice(0, 7)).toEqual([1, 2, 4, 6, 8, 10, 11])
    expect(told.slice(-30)).toEqual(Array.from({ length: 30 }, (_, at) => 12 + at))
  })

  it('is written later and only once, and has what could not be written before', async () => {
    const supplier = await stage.createSupplier(toBody([1, 2]))
    const { deps } = stage
    const { run } = deps.readers
    deps.readers.run = async (kind, ...rest) => {
      if (kind === 'historyChanges') throw new Error('the reader fails')
      return run(kind, ...rest)
    }
    for (const body of [toBody([5, 2]), toBody([6, 2])]) {
      deps.clock.advance(2 * HOUR_MS)
      await stage.put(supplier, body)
    }
    expect(await history()).toMatchObject({ obstacle: 'failed', leaseToken: null })
    expect(await look(supplier, 'K0')).toEqual([1])
    deps.readers.run = run
    deps.clock.advance(HOUR_MS)
    await deps.work()
    expect(await history()).toMatchObject({ obstacle: null, waitingSince: null, leaseToken: null })
    expect(await look(supplier, 'K0')).toEqual([1, 5, 6])
    const before = await historyFiles()
    await deps.db.updateTable('itemHistories').set({ waitingSince: deps.clock.now() }).execute()
    await deps.work()
    expect(await historyFiles()).toEqual(before)
  })

  it('is whole after a crash between storing a file and naming it, and the file is removed', async () => {
    const supplier = await stage.createSupplier(toBody([1, 2]))
    const { deps } = stage
    await deps.db
      .updateTable('itemHistories')
      .set({ leaseUntil: deps.clock.now() + 10 * HOUR_MS })
      .execute()
    deps.clock.advance(HOUR_MS)
    await stage.put(supplier, toBody([3, 2]))
    const id = await connectionId()
    const row = await history()
    const connection = await deps.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()
    const version = (await findNextVersion(deps.db, id, row.versionAt))!
    const files = await historyFiles()
    const step = { history: row, files, connection, version, owner: 'dead' }
    const { stored } = await addVersion(deps, step, signal)
    expect(stored).toHaveLength(1)
    expect(await look(supplier, 'K0')).toEqual([1])
    expect(await deps.files.has(stored[0] ?? '')).toBe(true)
    deps.clock.advance(11 * HOUR_MS)
    await cleanStorage(deps, signal)
    expect(await deps.files.has(stored[0] ?? '')).toBe(false)
    await deps.work()
    expect(await look(supplier, 'K0')).toEqual([1, 3])
    await cleanStorage(deps, signal)
    expect(await look(supplier, 'K1')).toEqual([2])
    await expectNoLeftovers()
  })

  it('begins anew with the versions that are kept when one of its files is gone', async () => {
    const supplier = await stage.createSupplier(toBody([1]))
    for (const body of [toBody([2]), toBody([3])]) {
      stage.deps.clock.advance(HOUR_MS)
      await stage.put(supplier, body)
    }
    const [file] = await historyFiles()
    await loseContent(stage.deps.files, file?.sha256 ?? '')
    await expect(look(supplier, 'K0')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    stage.deps.clock.advance(HOUR_MS)
    await stage.put(supplier, toBody([4]))
    expect(await look(supplier, 'K0')).toEqual([1, 2, 3, 4])
    await expectNoLeftovers()
  })

  it('is written when it is first asked for of a file that an earlier release has published', async () => {
    const supplier = await stage.createSupplier(toBody([1]))
    await stage.deps.db.deleteFrom('historyFiles').execute()
    await stage.deps.db.deleteFrom('itemHistories').execute()
    await expect(look(supplier, 'K0')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await stage.deps.work()
    expect(await look(supplier, 'K0')).toEqual([1])
  })

  it('is not kept where there is no room for it, and goes with its supplier', async () => {
    const supplier = await stage.createSupplier(toBody([1, 2, 3]))
    expect(await historyFiles()).toHaveLength(1)
    const config = stage.deps.config as { maxStoragePerSupplierBytes: number }
    const { maxStoragePerSupplierBytes } = config
    config.maxStoragePerSupplierBytes = 8 * 32 * 2
    stage.deps.clock.advance(HOUR_MS)
    await stage.put(supplier, toBody([1, 2, 4]))
    expect(await historyFiles()).toEqual([])
    await expect(look(supplier, 'K0')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('no room'),
    })
    config.maxStoragePerSupplierBytes = maxStoragePerSupplierBytes
    stage.deps.clock.advance(HOUR_MS)
    await stage.put(supplier, toBody([1, 2, 5]))
    expect(await look(supplier, 'K2')).toEqual([5])
    await removeCompany(stage.deps, supplier, signal)
    await cleanStorage(stage.deps, signal)
    expect(await stage.deps.db.selectFrom('itemHistories').selectAll().execute()).toEqual([])
    expect(await listStoredFiles(stage.deps)).toEqual([])
  })
})

it('does nothing without a history that waits', async () => {
  const deps = await openFileDeps()
  await writeWaitingHistories(deps, signal)
  expect(await deps.db.selectFrom('itemHistories').selectAll().execute()).toEqual([])
  await deps.close()
})

describe('the files that are kept', () => {
  const MB = 1024 * 1024
  const file = (kind: 'state' | 'changes' | 'past', records: number, lastAt = 0) => ({
    kind,
    records,
    sizeBytes: 32 * records,
    lastAt,
  })
  const changes = (count: number, records: number) =>
    Array.from({ length: count }, () => file('changes', records))

  it('are joined while changes are few, and become a new state when they are many', () => {
    const state = file('state', 1_000)
    expect(planChanges([state, ...changes(8, 900)])).toBe('keep')
    expect(planChanges([state, ...changes(9, 20)])).toBe('join')
    expect(planChanges([state, ...changes(9, 30)])).toBe('fold')
  })

  it('of the past are joined with those that are not much larger, up to 64 MB', () => {
    const past = [10_000, 900, 500, 300, 200].map((records) => file('past', records))
    expect(choosePastToJoin([file('state', 5), ...past])).toEqual(past.slice(1))
    expect(choosePastToJoin([file('past', 1_000), file('past', 100)])).toEqual([])
    const large = file('past', 1.5 * MB)
    expect(choosePastToJoin([large, large])).toEqual([])
  })

  it('of the past are dropped after a year, and the oldest where there is no room', () => {
    const now = 400 * DAY_MS
    const state = file('state', MB)
    const past = [10, 100, 200].map((day) => file('past', 4 * MB, day * DAY_MS))
    const room = (quotaBytes: number) => dropOldest([state, ...past], { quotaBytes, now })
    expect(room(1e12)).toEqual({ kept: [state, ...past.slice(1)], dropped: past.slice(0, 1) })
    expect(room(8 * (32 + 130) * MB)?.kept).toEqual([state, ...past.slice(2)])
    expect(room(8 * 33 * MB)?.kept).toEqual([state])
    expect(room(8 * 31 * MB)).toBeNull()
    const much = [1, 2, 3].map((day) => file('past', 4 * MB, now - day))
    expect(dropOldest([state, ...much], { quotaBytes: 1e12, now })?.kept).toEqual([
      state,
      ...much.slice(1),
    ])
  })
})
