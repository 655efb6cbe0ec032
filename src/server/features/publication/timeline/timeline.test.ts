import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { SyncOutcome, TimelineKind } from '../../../../shared/constants'
import { MINUTE_MS } from '../../../../shared/durations'
import type { TimelineItem } from '../../../../shared/schemas/timeline'
import type { Actor } from '../../../domain/actor'
import { withCaller } from '../../../domain/caller'
import {
  createAdmin,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { updateConnection } from '../../catalogue/connections/connections'
import { readRunFigures } from './run-figures'
import { pageTimeline } from './timeline'

let deps: TestDeps
let supplier: Actor
let id: number

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps)
  id = (await createSupplierConnection(deps, supplier, 'https://feeds.example/stock.csv')).id
  // No sync of its own, which a change to the connection would begin.
  await deps.db.updateTable('connections').set({ isActive: false }).execute()
  await deps.db.deleteFrom('auditEntries').execute()
})
afterEach(() => deps.close())

/** Stores runs with these outcomes, one a minute, and advances the clock. */
async function addRuns(outcomes: SyncOutcome[], rows: (index: number) => number | null = () => 20) {
  const runs = outcomes.map((outcome, index) => ({
    connectionId: id,
    leaseToken: 'lease',
    startedAt: deps.clock.now() + index * MINUTE_MS,
    finishedAt: deps.clock.now() + index * MINUTE_MS + 2_000,
    outcome,
    error: outcome === 'failed' ? 'The address has moved.' : null,
    rowCount: rows(index),
    sizeBytes: 1_000,
  }))
  for (let start = 0; start < runs.length; start += 500) {
    await deps.db
      .insertInto('syncRuns')
      .values(runs.slice(start, start + 500))
      .execute()
  }
  deps.clock.advance(outcomes.length * MINUTE_MS)
}

const rename = async (actor: Actor, name: string) => {
  await withCaller({ origin: 'web', actor, address: null }, () =>
    updateConnection(deps, actor, { id, name }),
  )
  deps.clock.advance(MINUTE_MS)
}

async function readAll(reader: Actor, kind?: TimelineKind): Promise<TimelineItem[]> {
  const items: TimelineItem[] = []
  let cursor: number | null = Number.MAX_SAFE_INTEGER
  while (cursor !== null) {
    const page = await pageTimeline(deps, reader, { id, kind, cursor })
    items.push(...page.items)
    cursor = page.next
  }
  return items
}

const describeItem = (item: TimelineItem) => {
  if (item.kind === 'checks') return `${item.count} checks`
  if (item.kind === 'change') return `${item.entry.actorName} ${item.entry.action}`
  return item.begun ? `${item.outcome} by ${item.begun.action}` : item.outcome
}

describe('the timeline of a connection', () => {
  it('tells syncs and what people did, newest first, with unchanged syncs as one line', async () => {
    await addRuns(['published', 'unchanged', 'unchanged', 'unchanged'])
    await rename(supplier, 'Renamed')
    await addRuns(['unchanged', 'failed', 'held'])
    expect((await readAll(supplier)).map(describeItem)).toEqual([
      'held',
      'failed',
      '1 checks',
      `${supplier.username} connection.update`,
      '3 checks',
      'published',
    ])
  })

  it('names administrators to administrators only', async () => {
    const admin = await createAdmin(deps)
    await rename(admin, 'Renamed')
    expect((await readAll(supplier)).map(describeItem)).toEqual([
      'An administrator connection.update',
    ])
    expect((await readAll(admin)).map(describeItem)).toEqual([
      `${admin.username} connection.update`,
    ])
  })

  it('has pages that are complete and without repeats, however many checks there were', async () => {
    for (let round = 0; round < 60; round++) {
      await rename(supplier, `Name ${round}`)
      await addRuns(['published', ...Array<SyncOutcome>(30).fill('unchanged')])
    }
    const items = await readAll(supplier)
    const count = (kind: string) => items.filter((item) => item.kind === kind).length
    expect([count('sync'), count('change')]).toEqual([60, 60])
    const checks = items.map((item) => (item.kind === 'checks' ? item.count : 0))
    expect(checks.reduce((sum, one) => sum + one, 0)).toBe(60 * 30)
    expect(items.map(({ at }) => at)).toEqual(
      items
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
  })

  /** Stores what the supplier did to begin a sync. */
  async function begin(action: 'connection.sync' | 'connection.receive-file') {
    await rename(supplier, `Begun at ${deps.clock.now()}`)
    const entries = deps.db.updateTable('auditEntries').set({ action, count: 1 })
    await entries.where('action', '=', 'connection.update').execute()
  }

  it('tells a sync and what somebody did that it began with as one line', async () => {
    await begin('connection.sync')
    await addRuns(['published', 'unchanged'])
    await begin('connection.sync')
    await addRuns(['unchanged'])
    await begin('connection.receive-file')
    await addRuns(['failed'])
    deps.clock.advance(5 * MINUTE_MS)
    await begin('connection.sync')
    deps.clock.advance(5 * MINUTE_MS)
    await addRuns(['published'])
    const all = await readAll(supplier)
    expect(all.map(describeItem)).toEqual([
      'published',
      `${supplier.username} connection.sync`,
      'failed by connection.receive-file',
      'unchanged by connection.sync',
      '1 checks',
      'published by connection.sync',
    ])
  })

  it('shows one kind alone: files, failures, or what people did', async () => {
    for (let round = 0; round < 30; round++) {
      await begin('connection.sync')
      await addRuns(['published', 'unchanged', 'failed', 'unchanged'])
      await rename(supplier, `Name ${round}`)
    }
    const of = async (kind: TimelineKind) => {
      const items = (await readAll(supplier, kind)).map(describeItem)
      return [items.length, new Set(items.map((item) => item?.split(' ')[0]))]
    }
    expect(await of('files')).toEqual([30, new Set(['published'])])
    expect(await of('failures')).toEqual([30, new Set(['failed'])])
    expect(await of('people')).toEqual([60, new Set([supplier.username])])
    expect(await readAll(supplier)).toHaveLength(30 * 5)
  })

  it('is not shown to another supplier', async () => {
    const other = await createSupplierUser(deps)
    await expect(pageTimeline(deps, other, { id })).rejects.toThrow('Connection not found')
    await expect(readRunFigures(deps, other, id)).rejects.toThrow('Connection not found')
  })
})

describe('the figures of a connection', () => {
  it('are those of the syncs that read a whole file, oldest first', async () => {
    const start = deps.clock.now()
    await addRuns(['published', 'failed', 'unchanged', 'held'], (index) => [20, 3, null, 5][index]!)
    expect(await readRunFigures(deps, supplier, id)).toEqual([
      {
        at: new Date(start).toISOString(),
        rows: 20,
        bytes: 1_000,
        durationMs: 2_000,
        isHeld: false,
      },
      {
        at: new Date(start + 3 * MINUTE_MS).toISOString(),
        rows: 5,
        bytes: 1_000,
        durationMs: 2_000,
        isHeld: true,
      },
    ])
  })

  it('are so few that a chart can show them, and keep a file that has shrunk', async () => {
    await addRuns(Array<SyncOutcome>(1_000).fill('published'), (index) => (index === 517 ? 1 : 900))
    const points = await readRunFigures(deps, supplier, id)
    expect(points.length).toBeLessThanOrEqual(120)
    expect(points.filter(({ rows }) => rows === 1)).toHaveLength(1)
  })

  it('are empty before the first sync', async () => {
    expect(await readRunFigures(deps, supplier, id)).toEqual([])
  })
})
