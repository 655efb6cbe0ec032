import type { ServerResponse } from 'node:http'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { SECOND_MS } from '../../../../shared/durations'
import { createSupplierConnection, createSupplierUser } from '../../../testing/fixtures/factories'
import { figure } from '../../../testing/fixtures/figures'
import { setSlowSource } from '../../../testing/servers/slow-source'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { listConnections } from '../../catalogue/connections/connections'
import { claimDueWork } from '../../operations/scheduling/claim-due-work'
import type { UserRecord } from '../../people/accounts/users.queries'
import { listRuns } from './sync-control'

const HEAD = 'sku,qty\r\n'
const POSTPONED =
  'Postponed: the source sends slowly, and others were waiting. The sync will be tried again.'
/** Longer than it takes to recognise a slow run, including a tick of the scheduler. */
const STEP = 6 * SECOND_MS

/** A source that sends its header and then nothing until the test continues the response. */
type SlowSource = {
  supplier: UserRecord
  id: number
  responses: ServerResponse[]
  status(): Promise<string | undefined>
}

describe('slow sources', () => {
  let servers: SourceServer[]
  let deps: TestDeps

  beforeEach(async () => {
    // Several servers, because a host gets at most two requests at a time.
    servers = await Promise.all(Array.from({ length: 5 }, () => startSourceServer()))
    deps = await openTestDeps({ fetchAllow: servers.map(({ host }) => host) })
  })
  afterEach(async () => {
    await deps.close()
    await Promise.all(servers.map((server) => server.close()))
  })

  async function connect(server: SourceServer, path: string) {
    const supplier = await createSupplierUser(deps)
    const { id } = await createSupplierConnection(deps, supplier, server.url(path))
    const current = async () => (await listConnections(deps, supplier))[0]!
    return { supplier, id, current, status: async () => (await current()).status }
  }

  async function connectSlow(index: number): Promise<SlowSource> {
    const server = servers[index % 4]!
    const path = `/slow-${index}.csv`
    const responses: ServerResponse[] = []
    const collectResponses = async (): Promise<void> => {
      responses.push(await setSlowSource(server, path, HEAD).asked)
      return collectResponses()
    }
    void collectResponses()
    return { ...(await connect(server, path)), responses }
  }

  async function connectSlows(count: number): Promise<SlowSource[]> {
    const slow: SlowSource[] = []
    while (slow.length < count) slow.push(await connectSlow(slow.length))
    return slow
  }

  async function connectFast() {
    servers[4]!.set('/fast.csv', { body: `${HEAD}1,5\r\n` })
    return connect(servers[4]!, '/fast.csv')
  }

  const countRequests = (slow: SlowSource[]) => slow.flatMap(({ responses }) => responses).length

  const listPostponed = async () => {
    const runs = deps.db.selectFrom('syncRuns').select('connectionId')
    const rows = await runs.where('outcome', '=', 'postponed').execute()
    return rows.map(({ connectionId }) => connectionId)
  }

  it('are postponed for others within 20 seconds, however many there are', async () => {
    const slow = await connectSlows(8)
    const fast = await connectFast()
    const began = deps.clock.now()
    await claimDueWork(deps)
    for (const requests of [4, 6, 8]) {
      await expect.poll(() => countRequests(slow)).toBe(requests)
      expect(await fast.status()).toBe('queued')
      deps.clock.advance(STEP)
      await claimDueWork(deps)
    }
    await expect.poll(fast.status).toBe('synced')
    const waited = (deps.clock.now() - began) / SECOND_MS
    figure('fair shares', 'a fast sync beside eight slow ones waits', `${waited} s`, '≤ 20 s')
    expect(waited).toBeLessThanOrEqual(20)
  })

  it('are postponed youngest first, with a message and without counting a failure', async () => {
    const slow = await connectSlows(4)
    await claimDueWork(deps)
    await expect.poll(() => countRequests(slow)).toBe(4)
    const fast = await connectFast()
    deps.clock.advance(STEP)
    await claimDueWork(deps)
    await expect.poll(fast.status).toBe('synced')
    const youngest = slow[3]!
    expect(await listPostponed()).toEqual([youngest.id])
    const [connection] = await listConnections(deps, youngest.supplier)
    expect(connection).toMatchObject({
      status: 'delayed',
      lastError: POSTPONED,
      consecutiveFailures: 0,
      nextSyncAt: new Date(deps.clock.now() + 60 * SECOND_MS).toISOString(),
    })
    expect(await listRuns(deps, youngest.supplier, youngest.id)).toMatchObject([
      { outcome: 'postponed', reason: POSTPONED },
    ])
  })

  it('are not stopped while no other sync waits', async () => {
    const slow = await connectSlows(4)
    await claimDueWork(deps)
    await expect.poll(() => countRequests(slow)).toBe(4)
    deps.clock.advance(4 * STEP)
    await claimDueWork(deps)
    for (const { responses } of slow) responses[0]!.end('1,5\r\n')
    for (const { status } of slow) await expect.poll(status).toBe('synced')
    expect(await listPostponed()).toEqual([])
  })

  it('known to be slow do not postpone each other', async () => {
    const slow = await connectSlows(6)
    await deps.db.updateTable('connections').set({ isSlow: true }).execute()
    await claimDueWork(deps)
    await expect.poll(() => countRequests(slow)).toBe(4)
    deps.clock.advance(4 * STEP)
    await claimDueWork(deps)
    for (const { responses } of slow.slice(0, 4)) responses[0]!.end('1,5\r\n')
    await expect.poll(() => countRequests(slow)).toBe(6)
    for (const { responses } of slow.slice(4)) responses[0]!.end('1,5\r\n')
    for (const { status } of slow) await expect.poll(status).toBe('synced')
    expect(await listPostponed()).toEqual([])
  })

  it('known to be slow are claimed after the others', async () => {
    const slow = await connectSlows(4)
    await deps.db.updateTable('connections').set({ isSlow: true }).execute()
    deps.clock.advance(60 * SECOND_MS)
    const fast = await connectFast()
    const claimed: number[] = []
    const queue = {
      ...deps.queue,
      add: async ({ job, payload }: { job: string; payload: unknown }) => {
        if (job === 'sync-connection') {
          claimed.push((payload as { connectionId: number }).connectionId)
        }
      },
    }
    await claimDueWork({ ...deps, queue })
    expect(claimed).toEqual([fast.id, ...slow.slice(0, 3).map(({ id }) => id)])
  })

  it('count as slow according to their last run only', async () => {
    const [slow] = await connectSlows(1)
    const isSlow = async () =>
      (await deps.db.selectFrom('connections').select('isSlow').executeTakeFirst())?.isSlow
    await claimDueWork(deps)
    await expect.poll(() => slow!.responses.length).toBe(1)
    deps.clock.advance(STEP)
    slow!.responses[0]!.end('1,5\r\n')
    await expect.poll(slow!.status).toBe('synced')
    expect(await isSlow()).toBe(true)
    deps.clock.advance(60 * 60 * SECOND_MS)
    await claimDueWork(deps)
    await expect.poll(() => slow!.responses.length).toBe(2)
    slow!.responses[1]!.end('1,5\r\n')
    await expect.poll(isSlow).toBe(false)
  })
})
