import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { cronTasks } from '../../../cron-tasks'
import { inTransaction } from '../../../db/open'
import type { ConnectionChanges } from '../../../db/schema'
import {
  createLinkedRetailer,
  createRetailerUser,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { openFileDeps } from '../../../testing/fixtures/stock'
import type { TestDeps } from '../../../testing/stages/test-deps'
import {
  findConnection,
  updateConnectionRow,
} from '../../catalogue/connections/connections.queries'
import { ensureCronJobs, listCronJobRuns, listCronJobs, runCronJobNow } from './cron-jobs'

let deps: TestDeps

beforeEach(async () => {
  deps = await openFileDeps()
  await ensureCronJobs(deps)
})
afterEach(() => deps.close())

async function runNow(name: string) {
  await runCronJobNow(deps, name)
  await deps.queue.idle()
  return (await listCronJobRuns(deps, name))[0]
}

describe('the built-in jobs', () => {
  it('have unique names', () => {
    expect(new Set(cronTasks.map(({ name }) => name)).size).toBe(cronTasks.length)
  })

  it('all succeed on an empty database', async () => {
    for (const { name } of cronTasks) await runCronJobNow(deps, name)
    await deps.work()
    const statuses = (await listCronJobs(deps)).map(({ status }) => status)
    expect(statuses).toEqual(cronTasks.map(() => 'succeeded'))
  })
})

describe('removing unlinked logins', () => {
  it('reports how many were removed', async () => {
    const supplier = await createSupplierUser(deps)
    await createRetailerUser(deps, supplier)
    await createLinkedRetailer(deps, supplier)
    deps.clock.advance(DAY_MS + 1)
    expect(await runNow('remove-unlinked-logins')).toMatchObject({ summary: '1 login removed' })
  })
})

describe('the sync heartbeat', () => {
  let connectionIds: number[]

  beforeEach(async () => {
    connectionIds = []
    for (const _ of ['one', 'two', 'three']) {
      const supplier = await createSupplierUser(deps)
      const url = 'http://192.0.2.1/feed.csv'
      const { id } = await createSupplierConnection(deps, supplier, url)
      connectionIds.push(id)
      await change(id, { nextSyncAt: deps.clock.now() + MINUTE_MS })
    }
  })

  const change = (id: number, changes: ConnectionChanges) =>
    inTransaction(deps.db, async (trx) => {
      const connection = await findConnection(trx, id, {})
      await updateConnectionRow(trx, connection!, changes)
    })
  const ago = (ms: number) => ({ nextSyncAt: deps.clock.now() - ms })
  const held = () => ({
    leaseToken: 'x',
    leaseUntil: deps.clock.now() + MINUTE_MS,
    isRunning: true,
  })
  /** Runs the task directly: a tick of the scheduler would claim what is due. */
  const beat = () =>
    cronTasks
      .find(({ name }) => name === 'sync-heartbeat')!
      .run(deps, {
        leaseToken: 'heartbeat',
        signal: new AbortController().signal,
        report: async () => undefined,
      })

  it('counts the connections on schedule and those that are running', async () => {
    await change(connectionIds[0]!, { ...ago(60 * MINUTE_MS), ...held() })
    await change(connectionIds[1]!, ago(5 * MINUTE_MS))
    expect(await beat()).toBe('3 connections on schedule, 1 running')
  })

  it('fails when connections are overdue by more than five minutes', async () => {
    await change(connectionIds[0]!, ago(5 * MINUTE_MS + 1))
    await expect(beat()).rejects.toThrow('1 connection is overdue by more than 5 minutes')
    const died = { ...held(), leaseUntil: deps.clock.now() - 1 }
    await change(connectionIds[1]!, { ...ago(60 * MINUTE_MS), ...died })
    await expect(beat()).rejects.toThrow('2 connections are overdue by more than 5 minutes')
  })

  it('ignores paused connections and those of inactive suppliers', async () => {
    await change(connectionIds[0]!, { ...ago(60 * MINUTE_MS), isActive: false })
    await change(connectionIds[1]!, ago(60 * MINUTE_MS))
    const { supplierId } = (await findConnection(deps.db, connectionIds[1]!, {}))!
    await deps.db
      .updateTable('users')
      .set({ isActive: false })
      .where('id', '=', supplierId)
      .execute()
    expect(await beat()).toBe('1 connection on schedule, 0 running')
  })
})
