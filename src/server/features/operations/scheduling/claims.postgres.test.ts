import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrateToLatest } from '../../../db/migrate'
import { inClaim, inTransaction } from '../../../db/open'
import { openPostgres } from '../../../db/postgres/open-postgres'
import type { Deps } from '../../../domain/deps'
import { LEASE_MS, LeaseLostError } from '../../../domain/lease'
import type { QueuedWork } from '../../../queue/queue'
import { putDestination } from '../../../testing/fixtures/destinations'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { seedStock } from '../../../testing/fixtures/stock'
import { putWebhook } from '../../../testing/fixtures/webhooks'
import { createPostgresDatabase } from '../../../testing/stages/test-database'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { recordTest } from '../../alerting/alerts/events'
import { hasDueDigest, leaseDueDigest } from '../../alerting/digests/digests.queries'
import {
  insertMessages,
  leaseDueMessage,
  updateLeasedMessage,
  type Channel,
} from '../../alerting/outbox/outbox.queries'
import {
  insertCompression,
  leaseCompression,
} from '../../distribution/compressed-files/compressed-files.queries'
import {
  leaseDueDispatch,
  updateLeasedDispatch,
  type Lane,
} from '../../distribution/destinations/dispatches.queries'
import type { UserRecord } from '../../people/accounts/users.queries'
import { claimDueSyncs } from '../../publication/syncs/claim-syncs'
import { createHostGate, MAX_REQUESTS_PER_HOST } from '../../publication/syncs/host-gate'
import { loadLeasedConnection, renewLease, startRun } from '../../publication/syncs/sync-lease'
import { createSyncSlots } from '../../publication/syncs/sync-slots'
import { claimDueCronJobs } from '../cron-jobs/cron-claiming'
import { ensureCronJobs } from '../cron-jobs/cron-jobs'

const WORKERS = 4
const SLOTS = 3
const ROUNDS = 5
/** A file on its way. */
const FILE = {
  destinationName: 'Warehouse',
  kind: 'web',
  status: 'waiting',
  versionName: 'inventory_1.csv',
  fileName: 'inventory.csv',
  mediaType: 'text/csv',
  sha256: 'a',
  sizeBytes: 1,
  rowCount: 1,
  idempotencyKey: 'a key',
} as const

type Claim = { connectionId: number; leaseToken: string }
/** A process of its own: with its own connections to the database, slots and queue. */
type Worker = { deps: Deps; claims: Claim[] }

let base: TestDeps
let workers: Worker[]

beforeEach(async () => {
  base = await openTestDeps()
  const url = await createPostgresDatabase()
  workers = Array.from({ length: WORKERS }, () => openWorker(url))
  await migrateToLatest(first().deps.db)
})
afterEach(async () => {
  for (const { deps } of workers) await deps.db.destroy()
  await base.close()
})

function openWorker(url: string): Worker {
  const claims: Claim[] = []
  const add = async ({ payload }: QueuedWork) => void claims.push(payload as Claim)
  const db = openPostgres(url, () => undefined)
  const slots = createSyncSlots(SLOTS, base.clock.now)
  return { deps: { ...base, db, slots, queue: { ...base.queue, add } }, claims }
}

const first = () => workers[0]!

const addConnections = async (count: number, toUrl: (index: number) => string) => {
  for (let index = 0; index < count; index++) {
    await createSupplierConnection(
      first().deps,
      await createSupplierUser(first().deps),
      toUrl(index),
    )
  }
}

/** Lets all workers claim at once; returns what each has claimed, and frees its slots. */
async function claimTogether(): Promise<Claim[][]> {
  await Promise.all(workers.map(({ deps }) => claimDueSyncs(deps)))
  return workers.map(({ deps, claims }) => {
    for (const { leaseToken } of claims) deps.slots.cancel(leaseToken)
    return claims.splice(0)
  })
}

describe('the syncs that workers claim at once', () => {
  it('go to one worker each, and fill the slots of every worker', async () => {
    const total = WORKERS * SLOTS * ROUNDS
    await addConnections(total, (index) => `https://host-${index}.example/feed.csv`)
    const claimed = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const byWorker = await claimTogether()
      expect(byWorker.map(({ length }) => length)).toEqual(workers.map(() => SLOTS))
      for (const { connectionId } of byWorker.flat()) claimed.add(connectionId)
    }
    expect(claimed.size).toBe(total)
    expect((await claimTogether()).flat()).toEqual([])
  })

  it('ask a host for no more files at once than it may be asked for', async () => {
    await addConnections(WORKERS * SLOTS, () => 'https://host.example/feed.csv')
    expect((await claimTogether()).flat()).toHaveLength(MAX_REQUESTS_PER_HOST)
    expect((await claimTogether()).flat()).toEqual([])
  })

  it('leave out one whose supplier is changing it', async () => {
    await addConnections(2, (index) => `https://host-${index}.example/feed.csv`)
    const due = first().deps.db.selectFrom('connections').select('id').orderBy('id')
    const [changed, other] = await due.execute()
    await inTransaction(first().deps.db, async (trx) => {
      const pause = { isActive: false, nextSyncAt: null }
      await trx.updateTable('connections').set(pause).where('id', '=', changed!.id).execute()
      expect((await claimTogether()).flat()).toMatchObject([{ connectionId: other!.id }])
    })
    expect((await claimTogether()).flat()).toEqual([])
  })

  it('cannot be ended by a worker whose lease another one has taken over', async () => {
    await addConnections(1, () => 'https://host.example/feed.csv')
    const [old, next] = [workers[0]!, workers[1]!]
    const start = async ({ deps, claims }: Worker) => {
      await claimDueSyncs(deps)
      return (await startRun(deps, claims.pop()!))!.run
    }
    const lost = await start(old)
    base.clock.advance(LEASE_MS)
    const leased = await start(next)
    const end = inTransaction(old.deps.db, (trx) =>
      loadLeasedConnection(trx, lost, base.clock.now()),
    )
    await expect(end).rejects.toBeInstanceOf(LeaseLostError)
    expect(await renewLease(old.deps, lost)).toBe(false)
    expect(await renewLease(next.deps, leased)).toBe(true)
  })
})

describe('the digests that workers claim at once', () => {
  it('are made once each', async () => {
    const now = base.clock.now()
    const { db } = first().deps
    const digest = { period: 'daily', weekday: 1, timeZone: 'UTC', dueAt: now } as const
    const userIds: number[] = []
    for (let index = 0; index < WORKERS * SLOTS; index++) {
      const { id: userId } = await createSupplierUser(first().deps)
      await db.insertInto('mailAddresses').values({ userId, address: 'a@example.com' }).execute()
      await db
        .insertInto('digests')
        .values({ ...digest, userId, categories: [], bases: [] })
        .execute()
      userIds.push(userId)
    }
    const claimed: number[] = []
    while (await hasDueDigest(db, now)) {
      const claims = workers.map(({ deps }, index) =>
        inClaim(deps.db, (trx) =>
          leaseDueDigest(trx, { now, leaseToken: `${index}`, leaseUntil: now + LEASE_MS }),
        ),
      )
      for (const found of await Promise.all(claims)) if (found) claimed.push(found.userId)
    }
    expect(claimed.toSorted((one, other) => one - other)).toEqual(userIds)
  })
})

describe('the deliveries that workers claim at once', () => {
  const lease = (token: string) => ({
    now: base.clock.now(),
    leaseToken: token,
    leaseUntil: base.clock.now() + LEASE_MS,
  })

  /** Lets every worker claim `times` at once. */
  async function claimMessages(channel: Channel, times: number) {
    const all = Array.from({ length: WORKERS * times }, (_, index) =>
      inClaim(workers[index % WORKERS]!.deps.db, (trx) =>
        leaseDueMessage(trx, channel, lease(`token ${index}`)),
      ),
    )
    return (await Promise.all(all)).filter((delivery) => delivery !== undefined)
  }

  /** Lets `count` events wait to be delivered to each of the targets. */
  async function addMessages(count: number, targets: Parameters<typeof insertMessages>[3]) {
    for (let index = 0; index < count; index++) {
      await inTransaction(first().deps.db, async (trx) => {
        const eventId = await recordTest(trx, base.clock.now())
        await insertMessages(trx, eventId, base.clock.now(), targets)
      })
    }
  }

  /** Claims until nothing is left: of users whom others claim from meanwhile nothing is claimed. */
  async function claimAll(channel: Channel) {
    const claimed: Awaited<ReturnType<typeof claimMessages>> = []
    for (;;) {
      const more = await claimMessages(channel, SLOTS)
      if (more.length === 0) return claimed
      claimed.push(...more)
    }
  }

  it('are made once each', async () => {
    const userIds: number[] = []
    for (let index = 0; index < WORKERS * SLOTS; index++) {
      userIds.push((await createSupplierUser(first().deps)).id)
    }
    await addMessages(
      1,
      userIds.map((userId) => ({ userId, webhookId: null })),
    )
    const ids = (await claimMessages('mail', SLOTS)).map(({ id }) => id)
    while (ids.length < WORKERS * SLOTS) {
      const more = await claimMessages('mail', 1)
      expect(more).not.toEqual([])
      ids.push(...more.map(({ id }) => id))
    }
    expect(new Set(ids).size).toBe(WORKERS * SLOTS)
    expect(await claimMessages('mail', 1)).toEqual([])
  })

  it.each([
    ['mail', false, 2],
    ['webhook', false, 2],
    ['slow-webhook', true, 1],
  ] as const)('through %s are few at once for each user', async (channel, isSlow, most) => {
    for (let index = 0; index < 3; index++) {
      const { id: userId } = await createSupplierUser(first().deps)
      const webhookIds: (number | null)[] = []
      for (let count = 0; count < SLOTS; count++) {
        const id = channel === 'mail' ? null : await putWebhook(first().deps, userId)
        webhookIds.push(id)
      }
      await first().deps.db.updateTable('webhooks').set({ isSlow }).execute()
      for (const webhookId of webhookIds) await addMessages(1, [{ userId, webhookId }])
    }
    const perUser = new Map<number, number>()
    for (const { userId } of await claimAll(channel)) {
      perUser.set(userId, (perUser.get(userId) ?? 0) + 1)
    }
    expect([...perUser.values()]).toEqual([most, most, most])
  })

  it('are one at a time for each webhook, oldest first', async () => {
    const { id: userId } = await createSupplierUser(first().deps)
    const webhookIds = [
      await putWebhook(first().deps, userId),
      await putWebhook(first().deps, userId),
    ]
    await addMessages(
      SLOTS,
      webhookIds.map((webhookId) => ({ userId, webhookId })),
    )
    for (let round = 0; round < SLOTS; round++) {
      const claimed = await claimAll('webhook')
      expect(claimed).toHaveLength(webhookIds.length)
      expect(new Set(claimed.map(({ webhookId }) => webhookId))).toEqual(new Set(webhookIds))
      const oldest = await first()
        .deps.db.selectFrom('deliveries')
        .select(({ fn }) => fn.min('eventId').as('eventId'))
        .where('status', '=', 'waiting')
        .executeTakeFirst()
      expect(claimed.map(({ eventId }) => eventId)).toEqual([oldest?.eventId, oldest?.eventId])
      const ids = claimed.map(({ id }) => id)
      const done = { status: 'delivered', leaseToken: null, leaseUntil: null } as const
      await first().deps.db.updateTable('deliveries').set(done).where('id', 'in', ids).execute()
    }
  })

  it('are not recorded by a worker whose lease another one has taken over', async () => {
    const { id: userId } = await createSupplierUser(first().deps)
    await addMessages(1, [{ userId, webhookId: null }])
    const claim = (index: number, leaseToken: string) =>
      inClaim(workers[index]!.deps.db, (trx) => leaseDueMessage(trx, 'mail', lease(leaseToken)))
    const record = (index: number, id: number, leaseToken: string) =>
      inTransaction(workers[index]!.deps.db, (trx) =>
        updateLeasedMessage(trx, { id, leaseToken }, base.clock.now(), { answer: leaseToken }),
      )
    const { id } = (await claim(0, 'old'))!
    base.clock.advance(LEASE_MS)
    expect(await claim(1, 'next')).toMatchObject({ id, attempts: 2 })
    expect([await record(0, id, 'old'), await record(1, id, 'next')]).toEqual([false, true])
  })
})

describe('the files to destinations that workers claim at once', () => {
  /** Stores destinations of a new company, each with files on their way; returns the ids of its destinations. */
  async function addFiles(destinations: number, isSlow = false): Promise<number[]> {
    const { deps } = first()
    const version = await deps.db.selectFrom('versions').select('id').executeTakeFirstOrThrow()
    const retailer = await createLinkedRetailer(deps, supplier)
    const ids: number[] = []
    for (let place = 0; place < destinations; place++) {
      const destinationId = await putDestination(deps, retailer.id, { isSlow })
      ids.push(destinationId)
      const file = {
        ...FILE,
        versionId: version.id,
        destinationId,
        retailerId: retailer.id,
        createdAt: base.clock.now(),
      }
      const values = [file, file].map((dispatch) => ({ ...dispatch, nextAttemptAt: 0 }))
      await deps.db.insertInto('dispatches').values(values).execute()
    }
    return ids
  }

  const claim = (worker: number, token: string, lane: Lane = 'quick') => {
    const now = base.clock.now()
    const lease = { now, leaseToken: token, leaseUntil: now + LEASE_MS }
    return inClaim(workers[worker % WORKERS]!.deps.db, (trx) =>
      leaseDueDispatch(trx, lane, lease, 0),
    )
  }

  /** Lets all workers claim at once until nothing is left: of a company that others claim from nothing is claimed. */
  async function claimAll(lane?: Lane) {
    const claimed: NonNullable<Awaited<ReturnType<typeof claim>>>[] = []
    for (;;) {
      const all = Array.from({ length: WORKERS * SLOTS }, (_, index) =>
        claim(index, `token ${index}`, lane),
      )
      const more = (await Promise.all(all)).filter((dispatch) => dispatch !== undefined)
      if (more.length === 0) return claimed
      claimed.push(...more)
    }
  }

  let supplier: UserRecord
  beforeEach(async () => {
    supplier = (await seedStock(first().deps, { files: ['sku\r\n1\r\n'] })).supplier
  })

  it.each([
    ['quick', false, 2],
    ['slow', true, 1],
  ] as const)('are few of the %s ones at once for each company', async (lane, isSlow, most) => {
    const companies = [
      await addFiles(5, isSlow),
      await addFiles(5, isSlow),
      await addFiles(5, isSlow),
    ]
    const claimed = await claimAll(lane)
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length)
    const perCompany = companies.map((ids) =>
      claimed.filter(({ destinationId }) => ids.includes(destinationId ?? 0)),
    )
    expect(perCompany.map(({ length }) => length)).toEqual([most, most, most])
  })

  it('are one at a time for each destination, and again those of a worker that is gone, marked', async () => {
    const [destinationId] = await addFiles(1)
    const [only, ...others] = await claimAll()
    expect(others).toEqual([])
    expect(only).toMatchObject({ destinationId, attempts: 1, isRepeat: false })
    base.clock.advance(LEASE_MS)
    const again = await claimAll()
    expect(again).toMatchObject([{ id: only!.id, attempts: 2, isRepeat: true }])
    const record = (leaseToken: string | null) =>
      inTransaction(first().deps.db, (trx) =>
        updateLeasedDispatch(
          trx,
          { id: only!.id, leaseToken: leaseToken ?? '' },
          base.clock.now(),
          {
            answer: 'recorded',
          },
        ),
      )
    expect(await record('gone')).toBe(false)
    expect(await record(again[0]!.leaseToken)).toBe(true)
  })
})

describe('the cron jobs that workers claim at once', () => {
  it('go to one worker each', async () => {
    await ensureCronJobs(first().deps)
    for (let round = 0; round < ROUNDS; round++) {
      const due = { nextRunAt: base.clock.now(), leaseToken: null, leaseUntil: null }
      await first().deps.db.updateTable('cronJobs').set(due).execute()
      await Promise.all(workers.map(({ deps }) => claimDueCronJobs(deps)))
      const names = workers.flatMap(
        ({ claims }) => claims.splice(0) as unknown as { name: string }[],
      )
      const jobs = base.cronTasks.map(({ name }) => name)
      expect(names.map(({ name }) => name).toSorted()).toEqual(jobs.toSorted())
    }
  })
})

describe('requests to a host that workers make at once', () => {
  it('are no more than it may be sent', async () => {
    let [running, most] = [0, 0]
    const { signal } = new AbortController()
    const request = async ({ deps }: Worker) => {
      const leave = await createHostGate(deps.db, { now: Date.now }).enter('host.example', signal)
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running -= 1
      leave()
    }
    await Promise.all(workers.map(request))
    expect(most).toBeLessThanOrEqual(MAX_REQUESTS_PER_HOST)
  })
})

describe('a file that workers compress at once', () => {
  it('is claimed by one of them', async () => {
    for (let index = 0; index < ROUNDS * SLOTS; index++) {
      const file = { sha256: `file ${index}`, asked: 'br', requestedAt: base.clock.now() } as const
      await inTransaction(first().deps.db, (trx) => insertCompression(trx, file, 0))
      const claims = await Promise.all(
        workers.map(({ deps }, worker) =>
          inClaim(deps.db, (trx) =>
            leaseCompression(trx, file.sha256, base.clock.now(), {
              leaseToken: `worker ${worker}`,
              leaseUntil: base.clock.now() + LEASE_MS,
            }),
          ),
        ),
      )
      expect(claims.filter((isClaimed) => isClaimed)).toHaveLength(1)
    }
  })
})
