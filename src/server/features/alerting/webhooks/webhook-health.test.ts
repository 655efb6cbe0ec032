import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import { FileError } from '../../../files/file-error'
import {
  createAdmin,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { insertSyncRun, updateOpenSyncRun } from '../../catalogue/connections/sync-runs.queries'
import type { UserRecord } from '../../people/accounts/users.queries'
import { pageAuditEntries } from '../../people/audit/audit-log'
import { aboutConnection, recordEvent, type Subject } from '../alerts/events'
import { listNotifications } from '../alerts/notifications'
import { listWebhookLog, sendTest } from './webhook-log'
import { createWebhook, listWebhooks, updateWebhook } from './webhooks'

const SETTINGS = {
  url: 'https://shop.example/hook?key=secret',
  kinds: ['feed.failed' as const],
  isActive: true,
}

let deps: TestDeps
let owner: UserRecord
let feed: Subject
let id: number
let sent: number
/** What the receiver answers next. */
let answer: () => { status: number; tookMs: number }

beforeEach(async () => {
  sent = 0
  const post = async () => {
    sent += 1
    return answer()
  }
  deps = await openTestDeps({}, { posts: { post } })
  owner = await createSupplierUser(deps)
  feed = aboutConnection(await createSupplierConnection(deps, owner, 'http://127.0.0.1:9/f.csv'))
  await deps.db.updateTable('connections').set({ isActive: false, nextSyncAt: null }).execute()
  id = (await createWebhook(deps, owner, SETTINGS)).id
  fails()
})
afterEach(() => deps.close())

const answers = (status: number, tookMs = 1) => {
  answer = () => ({ status, tookMs })
}
const fails = () => answers(500)
const isUnreachable = () => {
  answer = () => {
    throw new FileError('connect-failed', 'The server could not be reached.')
  }
}

async function tell(): Promise<void> {
  await inTransaction(deps.db, (trx) =>
    recordEvent(trx, feed, { kind: 'feed.failed', now: deps.clock.now(), details: {} }),
  )
  await deps.work()
}

/** Lets the scheduler tick each hour. */
async function wait(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    deps.clock.advance(HOUR_MS)
    await deps.work()
  }
}

const UNREACHED = { outcome: 'failed', errorCode: 'connect-failed' } as const

/** Records how a sync from a source of another supplier ended just now. */
async function endSync(
  host: string,
  end: { outcome: 'failed' | 'unchanged'; errorCode: string | null },
): Promise<void> {
  const supplier = await createSupplierUser(deps)
  const { id: connectionId } = await createSupplierConnection(
    deps,
    supplier,
    `https://${host}/f.csv`,
  )
  await deps.db.updateTable('connections').set({ isActive: false, nextSyncAt: null }).execute()
  const now = deps.clock.now()
  await inTransaction(deps.db, async (trx) => {
    const run = await insertSyncRun(trx, {
      connectionId,
      leaseToken: host,
      startedAt: now,
      waitedMs: null,
    })
    await updateOpenSyncRun(trx, run, { ...end, finishedAt: now })
  })
}

const webhook = async () => (await listWebhooks(deps, owner))[0]!
const row = () => deps.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
const toldOf = async (user: UserRecord) =>
  (await listNotifications(deps, user)).notifications
    .filter(({ kind }) => kind === 'webhook.switched-off')
    .map(({ title, text, path }) => ({ title, text, path }))

describe('a receiver that has failed for a day', () => {
  it('is switched off, its owner is told once, and the audit log says so', async () => {
    const admin = await createAdmin(deps)
    await tell()
    await wait(23)
    expect(await webhook()).toMatchObject({ isActive: true, switchedOffAt: null })
    await tell()
    await wait(1)
    const switchedOffAt = new Date(deps.clock.now()).toISOString()
    await tell()
    expect(await webhook()).toMatchObject({ isActive: false, switchedOffAt })
    expect(await toldOf(owner)).toEqual([
      {
        title: 'The webhook to shop.example is switched off',
        text: 'It has failed for a day. Switch it on again when it works. The last time: Answered 500',
        path: '/alerts',
      },
    ])
    expect(await toldOf(admin)).toEqual([])
    const { rows } = await pageAuditEntries(deps, owner, { action: 'webhook.switch-off' })
    expect(rows).toMatchObject([
      {
        actorName: null,
        origin: 'worker',
        subjectId: id,
        subjectName: 'shop.example',
        supplierId: owner.id,
        changes: [{ field: 'isActive', before: 'yes', after: 'no' }],
      },
    ])
  })

  it('gets nothing more: what waits is given up, and can be sent again by hand', async () => {
    for (let count = 0; count < 5; count++) await tell()
    await wait(25)
    await tell()
    const before = sent
    await wait(48)
    expect(sent).toBe(before)
    const states = (await listWebhookLog(deps, owner, id)).map(({ status }) => status)
    expect(new Set(states)).toEqual(new Set(['failed']))
  })

  it('is switched on again by its owner, and then has another day', async () => {
    await tell()
    await wait(36)
    expect(await webhook()).toMatchObject({ isActive: false })
    await updateWebhook(deps, owner, { id, ...SETTINGS })
    expect(await webhook()).toMatchObject({ isActive: true, switchedOffAt: null })
    await tell()
    await wait(12)
    expect(await webhook()).toMatchObject({ isActive: true })
    await wait(24)
    expect(await webhook()).toMatchObject({ isActive: false })
    expect(await toldOf(owner)).toHaveLength(2)
  })

  it('of an administrator is told to that one only', async () => {
    const [admin, other] = [await createAdmin(deps), await createAdmin(deps)]
    const { id: own } = await createWebhook(deps, admin, SETTINGS)
    await sendTest(deps, admin, own)
    await wait(36)
    expect([await toldOf(admin), await toldOf(other), await toldOf(owner)]).toMatchObject([
      [{ path: '/alerts' }],
      [],
      [],
    ])
  })
})

describe('a receiver that cannot be reached is switched off', () => {
  it('when a source was fetched within the hour', async () => {
    fails()
    await tell()
    await wait(23)
    deps.clock.advance(HOUR_MS)
    isUnreachable()
    await endSync('c.example', { outcome: 'unchanged', errorCode: null })
    await tell()
    expect(await webhook()).toMatchObject({ isActive: false })
  })

  it.each([
    ['https://other.example/hook', false],
    ['https://shop.example/other', true],
  ])('when %s was delivered to, which leaves it on: %s', async (url, isActive) => {
    fails()
    await tell()
    await wait(23)
    deps.clock.advance(HOUR_MS)
    answers(204)
    const admin = await createAdmin(deps)
    await sendTest(deps, admin, (await createWebhook(deps, admin, { ...SETTINGS, url })).id)
    await deps.db
      .updateTable('deliveries')
      .set({ nextAttemptAt: null })
      .where('webhookId', '=', id)
      .execute()
    await deps.work()
    isUnreachable()
    await tell()
    expect(await webhook()).toMatchObject({ isActive })
  })
})

describe('a receiver is not switched off', () => {
  it('when it has answered once in that day', async () => {
    await tell()
    await wait(10)
    answers(204)
    await tell()
    fails()
    await tell()
    await wait(23)
    await tell()
    expect(await webhook()).toMatchObject({ isActive: true })
  })

  it('by one failure after a time without requests', async () => {
    answers(200)
    await tell()
    await wait(48)
    fails()
    await tell()
    expect(await webhook()).toMatchObject({ isActive: true })
  })

  it('while nothing else can be reached, nor by the first failure after that', async () => {
    isUnreachable()
    await tell()
    for (let count = 0; count < 3; count++) {
      await wait(12)
      await tell()
    }
    expect(await webhook()).toMatchObject({ isActive: true })
    fails()
    await tell()
    expect(await webhook()).toMatchObject({ isActive: true })
    expect((await row()).failingSince).toBe(deps.clock.now())
  })

  it('while other sources cannot be reached, though one was within the hour', async () => {
    fails()
    await tell()
    await wait(23)
    deps.clock.advance(2 * HOUR_MS)
    isUnreachable()
    await endSync('c.example', { outcome: 'unchanged', errorCode: null })
    for (const host of ['a.example', 'b.example']) await endSync(host, UNREACHED)
    await tell()
    expect(await webhook()).toMatchObject({ isActive: true })
  })

  it('because of a clock that was ahead for a while', async () => {
    deps.clock.advance(400 * DAY_MS)
    await tell()
    deps.clock.advance(-400 * DAY_MS)
    await tell()
    await wait(2)
    expect(await webhook()).toMatchObject({ isActive: true })
    expect((await row()).failingSince).toBeLessThanOrEqual(deps.clock.now())
  })
})

describe('a receiver is slow', () => {
  it('when it took more than two seconds, until it is faster', async () => {
    answers(200, 2_001)
    await tell()
    expect(await row()).toMatchObject({ isSlow: true, failingSince: null })
    answers(200, 100)
    await tell()
    expect(await row()).toMatchObject({ isSlow: false })
  })

  it('when it did not answer in time, until it has another address', async () => {
    answer = () => {
      throw new FileError('answer-timeout', 'There was no answer within 15 s.')
    }
    await tell()
    expect(await row()).toMatchObject({ isSlow: true })
    await updateWebhook(deps, owner, { id, ...SETTINGS, url: 'https://new.example/hook' })
    expect(await row()).toMatchObject({ isSlow: false, failingSince: null })
  })
})
