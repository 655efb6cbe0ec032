import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { FIRST, openSyncStage, SECOND, type SyncStage } from '../../../testing/stages/sync-stage'
import { discardVersion, publishVersion } from '../publishing/publications'

const FULL = `sku,qty\r\n${Array.from({ length: 20 }, (_, row) => `${row},5\r\n`).join('')}`
const SMALL = 'sku,qty\r\n1,5\r\n2,7\r\n'

let stage: SyncStage

beforeEach(async () => {
  stage = await openSyncStage()
})
afterEach(() => stage.close())

async function told() {
  await stage.deps.work()
  const events = await stage.deps.db.selectFrom('events').selectAll().orderBy('id').execute()
  return events.filter(({ kind }) => kind !== 'feed.published')
}
const kinds = async () => (await told()).map(({ kind }) => kind)

async function syncAfter(ms: number) {
  stage.deps.clock.advance(ms)
  await stage.deps.work()
}

async function publish(body: string) {
  stage.sourceServer.set('/feed.csv', { body })
  await stage.connect()
  await stage.deps.work()
}

describe('a source that fails', () => {
  beforeEach(() => publish(FIRST))

  it('and works at the next try is told to nobody', async () => {
    stage.sourceServer.set('/feed.csv', { status: 503 })
    await syncAfter(HOUR_MS)
    await syncAfter(2 * MINUTE_MS)
    stage.sourceServer.set('/feed.csv', { body: SECOND })
    await syncAfter(3 * MINUTE_MS)
    expect(await kinds()).toEqual([])
  })

  it('three times in a row is told once, with its reason, and so is its recovery', async () => {
    stage.sourceServer.set('/feed.csv', { status: 503 })
    for (const pause of [HOUR_MS, 2 * MINUTE_MS, 3 * MINUTE_MS, 5 * MINUTE_MS, 9 * MINUTE_MS]) {
      await syncAfter(pause)
    }
    expect(await told()).toMatchObject([
      {
        kind: 'feed.failed',
        supplierId: stage.supplier.id,
        details: { connectionName: 'Main feed', supplierName: 'Acme' },
      },
    ])
    expect((await told())[0]?.details.reason).toMatch(/503/)
    stage.sourceServer.set('/feed.csv', { body: FIRST })
    await syncAfter(HOUR_MS)
    expect(await kinds()).toEqual(['feed.failed', 'feed.recovered'])
  })

  it('and is asked again only much later is told at once', async () => {
    stage.sourceServer.set('/feed.csv', { status: 503, headers: { 'retry-after': '3600' } })
    await syncAfter(HOUR_MS)
    expect(await kinds()).toEqual(['feed.failed'])
  })
})

describe('a held file', () => {
  beforeEach(async () => {
    await publish(FULL)
    stage.sourceServer.set('/feed.csv', { body: SMALL })
    await syncAfter(HOUR_MS)
  })

  const heldVersion = async () => {
    const { id, heldVersionId } = await stage.deps.db
      .selectFrom('connections')
      .select(['id', 'heldVersionId'])
      .executeTakeFirstOrThrow()
    return { id, versionId: heldVersionId ?? 0 }
  }

  it('is told once with its reasons, however often it comes', async () => {
    await syncAfter(HOUR_MS)
    stage.sourceServer.set('/feed.csv', { body: `${SMALL}3,1\r\n` })
    await syncAfter(HOUR_MS)
    expect(await kinds()).toEqual(['feed.held'])
    expect((await told())[0]?.details.reason).toContain('It has 2 rows')
  })

  it('is told to be over when the source has a good file again', async () => {
    stage.sourceServer.set('/feed.csv', { body: FULL })
    await syncAfter(HOUR_MS)
    expect(await kinds()).toEqual(['feed.held', 'feed.recovered'])
  })

  it('is told to be over when it is published anyway', async () => {
    await publishVersion(stage.deps, stage.supplier, await heldVersion())
    expect(await kinds()).toEqual(['feed.held', 'feed.recovered'])
  })

  it('is told to be over when it is discarded, and stays so', async () => {
    await discardVersion(stage.deps, stage.supplier, await heldVersion())
    await syncAfter(HOUR_MS)
    expect(await kinds()).toEqual(['feed.held', 'feed.recovered'])
  })
})

it('tells of each published file', async () => {
  await publish(FIRST)
  const events = await stage.deps.db.selectFrom('events').selectAll().execute()
  expect(events).toMatchObject([{ kind: 'feed.published', details: { rowCount: 2 } }])
})
