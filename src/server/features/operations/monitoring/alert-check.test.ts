import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { createLinkedRetailer } from '../../../testing/fixtures/factories'
import { checkAlerts } from '../../../testing/stages/check-alerts'
import { FIRST, openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { toDay } from '../../distribution/downloads/pull-days'

let stage: SyncStage

beforeEach(async () => {
  stage = await openSyncStage()
  stage.sourceServer.set('/feed.csv', { body: FIRST })
  await stage.connect()
  await stage.deps.work()
})
afterEach(() => stage.close())

async function told() {
  const events = await stage.deps.db.selectFrom('events').selectAll().orderBy('id').execute()
  return events.filter(({ kind }) => kind !== 'feed.published')
}

async function syncAfter(ms: number) {
  stage.deps.clock.advance(ms)
  await stage.deps.work()
}

describe('data of a feed', () => {
  it('are late an hour and fifteen minutes after the last sync of an hourly one, and told once', async () => {
    stage.sourceServer.set('/feed.csv', { status: 503 })
    await syncAfter(HOUR_MS)
    await syncAfter(14 * MINUTE_MS)
    await checkAlerts(stage.deps)
    expect(await told()).toEqual([])
    // Before the next try, which would be the third failure.
    await syncAfter(1.5 * MINUTE_MS)
    await checkAlerts(stage.deps)
    await checkAlerts(stage.deps)
    expect(await told()).toMatchObject([
      { kind: 'feed.late', connectionId: (await stage.current()).id },
    ])
    stage.sourceServer.set('/feed.csv', { body: FIRST })
    await syncAfter(HOUR_MS)
    expect(await told()).toMatchObject([
      { kind: 'feed.late' },
      { kind: 'feed.recovered', details: { wasLate: true } },
    ])
  })

  it('are told to be late to retailers only when the supplier knows the cause', async () => {
    stage.sourceServer.set('/feed.csv', { status: 503 })
    for (const pause of [HOUR_MS, 2 * MINUTE_MS, 3 * MINUTE_MS, 11 * MINUTE_MS])
      await syncAfter(pause)
    await checkAlerts(stage.deps)
    const [, late] = await told()
    expect(late).toMatchObject({ kind: 'feed.late', details: { isForRetailersOnly: true } })
  })

  it('are not late because the product did not run', async () => {
    stage.deps.clock.advance(DAY_MS)
    await checkAlerts(stage.deps)
    expect(await told()).toEqual([])
  })

  it('are not waited for while the connection is paused', async () => {
    stage.sourceServer.set('/feed.csv', { status: 503 })
    await syncAfter(HOUR_MS)
    await syncAfter(16 * MINUTE_MS)
    await checkAlerts(stage.deps)
    await stage.deps.db.updateTable('connections').set({ isActive: false }).execute()
    await checkAlerts(stage.deps)
    const problems = await stage.deps.db.selectFrom('problems').selectAll().execute()
    expect(problems.every(({ closedAt }) => closedAt !== null)).toBe(true)
    expect((await told()).map(({ kind }) => kind)).toEqual(['feed.late'])
  })
})

describe('a retailer', () => {
  let retailerId: number
  let versionId: number

  beforeEach(async () => {
    retailerId = (await createLinkedRetailer(stage.deps, stage.supplier)).id
    versionId = (await stage.deps.db.selectFrom('versions').select('id').executeTakeFirstOrThrow())
      .id
  })

  const pull = () => {
    const { pulls, clock } = stage.deps
    const read = { retailerId, versionId, addressId: null, client: 'curl', sent: null }
    pulls.add({ ...read, pulledAt: clock.now() })
    return pulls.flush()
  }

  async function pullDaily(days: number) {
    for (let day = 0; day < days; day++) {
      await pull()
      stage.deps.clock.advance(DAY_MS)
    }
  }

  const silent = async () => (await told()).filter(({ kind }) => kind === 'retailer.silent')

  it('that read regularly is silent after a week without, which is told once', async () => {
    await pullDaily(3)
    stage.deps.clock.advance(5 * DAY_MS)
    await checkAlerts(stage.deps)
    expect(await silent()).toEqual([])
    stage.deps.clock.advance(DAY_MS)
    await checkAlerts(stage.deps)
    await checkAlerts(stage.deps)
    expect(await silent()).toMatchObject([{ retailerId, details: { storeName: 'Corner Shop' } }])
    await pull()
    await checkAlerts(stage.deps)
    const [problem] = await stage.deps.db.selectFrom('problems').selectAll().execute()
    expect(problem?.closedAt).not.toBeNull()
  })

  it('is silent also when the version before has recorded some of its reads', async () => {
    const { db, clock } = stage.deps
    const row = { retailerId, versionId, pullCount: 1, client: 'curl' }
    await pull()
    for (const days of [1, 2]) {
      const lastPulledAt = clock.now() + days * DAY_MS
      const day = { ...row, day: toDay(lastPulledAt), lastPulledAt }
      await db.insertInto('pullDays').values(day).execute()
    }
    clock.advance(8 * DAY_MS)
    await checkAlerts(stage.deps)
    expect(await silent()).toEqual([])
    clock.advance(DAY_MS)
    await checkAlerts(stage.deps)
    expect(await silent()).toMatchObject([{ retailerId }])
  })

  it('that read only now and then is never silent', async () => {
    await pullDaily(2)
    stage.deps.clock.advance(10 * DAY_MS)
    await checkAlerts(stage.deps)
    expect(await silent()).toEqual([])
  })
})
