import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { countRunHours, readFinishedRuns, readRunHours } from './run-hours'

let sourceServer: SourceServer
let deps: TestDeps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/good.csv', { body: 'sku,qty\r\n1,5\r\n' })
  sourceServer.set('/bad.csv', { status: 503 })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

const signal = new AbortController().signal
const count = () => countRunHours(deps, deps.clock.now() - 30 * DAY_MS, signal)
const countStored = async () => (await deps.db.selectFrom('runHours').selectAll().execute()).length
const deleteRuns = () => deps.db.deleteFrom('syncRuns').execute()

async function addConnections() {
  for (const path of ['/good.csv', '/bad.csv']) {
    const supplier = await createSupplierUser(deps, { companyName: `Owner of ${path}` })
    await createSupplierConnection(deps, supplier, sourceServer.url(path))
  }
}

/** Lets two connections sync in an hour, and again in the next one. */
async function syncInTwoHours() {
  const sinceHour = deps.clock.now() % HOUR_MS
  deps.clock.advance(HOUR_MS - sinceHour + 20 * MINUTE_MS)
  const startedAt = deps.clock.now() - 20 * MINUTE_MS
  await addConnections()
  deps.clock.advance(2 * MINUTE_MS)
  await deps.work()
  deps.clock.advance(HOUR_MS)
  await deps.work()
  const at = (hours: number) => new Date(startedAt + hours * HOUR_MS).toISOString()
  return { first: at(0), second: at(1), third: at(2) }
}

describe('the runs of each hour', () => {
  it('are counted by what came of them, with how long they had been due', async () => {
    const hours = await syncInTwoHours()
    const [first, second, ...others] = await readRunHours(deps, 24)
    expect(others).toEqual([])
    expect(first).toMatchObject({
      startedAt: hours.first,
      outcomes: { published: 1, unchanged: 0, held: 0, failed: 1, postponed: 0, cancelled: 0 },
      wait: { meanMs: 2 * MINUTE_MS, longestMs: 2 * MINUTE_MS },
    })
    expect(second).toMatchObject({
      startedAt: hours.second,
      outcomes: { published: 0, unchanged: 1, failed: 1 },
    })
  })

  it('are the same once they have been counted and the runs are gone', async () => {
    await syncInTwoHours()
    deps.clock.advance(HOUR_MS)
    const before = await readRunHours(deps, 24)
    await count()
    expect(await readRunHours(deps, 24)).toEqual(before)
    await deleteRuns()
    expect(await readRunHours(deps, 24)).toEqual(before)
  })

  it('are counted once each, and not before the hour is over', async () => {
    await syncInTwoHours()
    await count()
    const stored = await countStored()
    await count()
    expect(await countStored()).toBe(stored)
    // The hour that is not over is read from its runs.
    expect(await readRunHours(deps, 24)).toHaveLength(2)
    await deleteRuns()
    expect(await readRunHours(deps, 24)).toHaveLength(1)
  })

  it('are those of the hours that are asked for', async () => {
    await syncInTwoHours()
    expect(await readRunHours(deps, 1)).toHaveLength(1)
    deps.clock.advance(40 * DAY_MS)
    expect(await readRunHours(deps, 720)).toEqual([])
  })
})

describe('the runs that finished within a time', () => {
  it('are listed with their supplier and why they failed, newest first', async () => {
    const { second, third } = await syncInTwoHours()
    const runs = await readFinishedRuns(deps, { from: second, until: third })
    expect(runs.map(({ outcome }) => outcome).toSorted()).toEqual(['failed', 'unchanged'])
    expect(runs.find(({ outcome }) => outcome === 'failed')).toMatchObject({
      supplierName: 'Owner of /bad.csv',
      reason: expect.stringContaining('503'),
    })
  })

  it.each(['unchanged', 'failed'] as const)('are those that are asked for: %s', async (outcome) => {
    const { second, third } = await syncInTwoHours()
    const runs = await readFinishedRuns(deps, { from: second, until: third, outcome })
    expect(runs.map((run) => run.outcome)).toEqual([outcome])
  })
})
