import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { putBackup } from '../../../testing/fixtures/stock'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { cleanUpTask } from '../maintenance/clean-up-task'
import { measureDataSizes } from './data-sizes'
import { beat, startBeating } from './processes'
import { readSystemState } from './system-state'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const own = (id: string, host = 'alpha') =>
  ({ id, role: 'web', host, pid: 1, runtime: 'Node v26', startedAt: deps.clock.now() }) as const
const ofVersion = (productVersion: string) => ({
  ...deps,
  config: { ...deps.config, productVersion },
})
const idsSeen = async () => (await readSystemState(deps)).processes.map(({ id }) => id)

describe('the processes that are seen', () => {
  it('are those that have said lately that they run', async () => {
    await beat(deps, own('a'))
    deps.clock.advance(2 * MINUTE_MS)
    await beat(deps, own('b'))
    expect(await idsSeen()).toEqual(['a', 'b'])
    deps.clock.advance(MINUTE_MS + 1)
    expect(await idsSeen()).toEqual(['b'])
    await beat(deps, own('a'))
    expect(await idsSeen()).toEqual(['a', 'b'])
  })

  it('are forgotten in an hour, or at once when they stop', async () => {
    const stop = startBeating(deps, own('a'))
    await expect.poll(idsSeen).toEqual(['a'])
    await stop()
    expect(await idsSeen()).toEqual([])
    await beat(deps, own('b'))
    deps.clock.advance(61 * MINUTE_MS)
    await beat(deps, own('c'))
    const rows = await deps.db.selectFrom('processes').select('id').execute()
    expect(rows).toEqual([{ id: 'c' }])
  })

  it('are told to be mixed when they are of several versions, also by the doctor', async () => {
    const tell = async () => {
      deps.clock.advance(MINUTE_MS)
      const { findings } = await deps.doctor.examine(deps)
      return findings.find(({ part }) => part === 'versions')?.text
    }
    await beat(ofVersion('1.2.0'), own('a'))
    await beat(ofVersion('1.2.0'), own('b', 'beta'))
    expect((await readSystemState(deps)).isMixed).toBe(false)
    expect(await tell()).toBeUndefined()
    await beat(ofVersion('1.3.0'), own('c', 'gamma'))
    expect((await readSystemState(deps)).isMixed).toBe(true)
    expect(await tell()).toMatch(/versions run: 1\.2\.0 on alpha and beta, 1\.3\.0 on gamma$/)
  })
})

describe('the sizes of what is stored', () => {
  it('are measured once a day, by the clean-up', async () => {
    await putBackup(deps)
    const run = {
      leaseToken: 'x',
      signal: new AbortController().signal,
      report: async () => undefined,
    }
    await cleanUpTask.run(deps, run)
    // What they have is known: nothing is looked at again.
    deps.backups.list = () => Promise.reject(new Error('no'))
    await cleanUpTask.run(deps, run)
    const { sizes } = await readSystemState(deps)
    expect(sizes).toEqual([
      {
        day: '2026-01-15T00:00:00.000Z',
        databaseBytes: expect.any(Number) as number,
        filesBytes: 0,
        backupsBytes: expect.any(Number) as number,
      },
    ])
    expect(sizes[0]!.databaseBytes).toBeGreaterThan(100_000)
    expect(sizes[0]!.backupsBytes).toBeGreaterThan(0)
  })

  it('tell when the disk will be full, once a week of them is known', async () => {
    const free = { freeBytes: 10_000, totalBytes: 20_000 }
    deps.files.measureSpace = async () => free
    deps.config.minFreeBytes = 1_000
    const forecast = async () => (await readSystemState(deps)).disk.forecast
    for (let day = 0; day < 6; day++) {
      await measureDataSizes(deps)
      deps.clock.advance(DAY_MS)
      free.freeBytes -= 100
    }
    expect(await forecast()).toEqual({ state: 'unknown', days: 6, neededDays: 7 })
    expect((await readSystemState(deps)).growth).toBeNull()
    await measureDataSizes(deps)
    expect(await forecast()).toMatchObject({ state: 'filling', bytesPerDay: 100, fullInDays: 84 })
    expect((await readSystemState(deps)).growth).toMatchObject({ databaseBytes: 0, filesBytes: 0 })
    // A larger disk is another one.
    free.totalBytes += 50_000
    expect(await forecast()).toMatchObject({ state: 'unknown', days: 0 })
  })
})
