import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import {
  createAdmin,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startHookServer, type HookServer } from '../../../testing/servers/hook-server'
import { startMailServer, type MailServer } from '../../../testing/servers/mail-server'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { createWebhook } from '../../alerting/webhooks/webhooks'
import { readOverview } from '../overview/overview'
import { startWorking } from './scheduler'
import { recordTick } from './scheduler-ticks'
import { createStallCheck } from './stall-check'

/** Five minutes, and the check with which a process begins. */
const UNTIL_TOLD = 6

let sourceServer: SourceServer
let hooks: HookServer
let mails: MailServer
let deps: TestDeps
let check: () => Promise<void>

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n' })
  hooks = await startHookServer()
  mails = await startMailServer()
  deps = await openTestDeps({
    fetchAllow: [hooks.host, sourceServer.host],
    smtp: { url: mails.url, from: 'Stock <stock@example.com>' },
  })
  check = openCheck()
})
afterEach(async () => {
  await deps.close()
  await Promise.all([mails.close(), hooks.close(), sourceServer.close()])
})

/** The check of another process, with a memory of its own. */
function openCheck() {
  const { signal } = new AbortController()
  const stallCheck = createStallCheck(deps)
  return () => stallCheck(signal)
}

async function checkEachMinute(count: number, meanwhile = async () => {}) {
  for (let minute = 0; minute < count; minute++) {
    await meanwhile()
    await check()
    deps.clock.advance(MINUTE_MS)
  }
}

const tick = () => recordTick(deps)

async function told() {
  const events = await deps.db.selectFrom('events').select('kind').orderBy('id').execute()
  return events.map(({ kind }) => kind).filter((kind) => kind !== 'feed.published')
}

async function addConnection() {
  const supplier = await createSupplierUser(deps)
  await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
}

/** An administrator with a confirmed address and a webhook. */
async function addReachableAdmin() {
  const admin = await createAdmin(deps)
  const address = { userId: admin.id, address: 'admin@example.com' }
  await deps.db
    .insertInto('mailAddresses')
    .values({ ...address, pendingAddress: null, tokenHash: null, tokenExpiresAt: null })
    .execute()
  const kinds = ['scheduler.stalled' as const]
  await createWebhook(deps, admin, { url: hooks.url, kinds, isActive: true })
}

describe('a scheduler that stands still', () => {
  it('is told after five minutes, once, and its recovery once', async () => {
    await tick()
    await checkEachMinute(UNTIL_TOLD - 1)
    expect(await told()).toEqual([])
    await checkEachMinute(5)
    expect(await told()).toEqual(['scheduler.stalled'])
    await tick()
    await checkEachMinute(2, tick)
    expect(await told()).toEqual(['scheduler.stalled', 'scheduler.recovered'])
  })

  it('is told once by several processes', async () => {
    const others = [openCheck(), openCheck()]
    const meanwhile = async () => void (await Promise.all(others.map((other) => other())))
    await checkEachMinute(UNTIL_TOLD + 1, meanwhile)
    await checkEachMinute(2, async () => {
      await tick()
      await meanwhile()
    })
    expect(await told()).toEqual(['scheduler.stalled', 'scheduler.recovered'])
  })

  it('is told by mail and webhook without any worker', async () => {
    await addReachableAdmin()
    await addConnection()
    await tick()
    await checkEachMinute(UNTIL_TOLD + 1)
    expect(mails.received.map(({ to }) => to)).toEqual([['admin@example.com']])
    expect(mails.received[0]?.source).toContain('Subject: Stockbridge: Background work has stopped')
    expect(mails.received[0]?.source.replaceAll('=\r\n', '')).toContain(
      'Nothing that was due has begun since 2026-01-15 08:30 UTC.',
    )
    expect(hooks.received).toHaveLength(1)
  })

  it('is told again after an hour when it stops again soon', async () => {
    await checkEachMinute(UNTIL_TOLD)
    await checkEachMinute(2, tick)
    await checkEachMinute(30)
    expect(await told()).toEqual(['scheduler.stalled', 'scheduler.recovered'])
    await checkEachMinute(40)
    expect(await told()).toEqual(['scheduler.stalled', 'scheduler.recovered', 'scheduler.stalled'])
  })

  it('is known by a process that starts after it was told', async () => {
    await checkEachMinute(UNTIL_TOLD)
    check = openCheck()
    await tick()
    await checkEachMinute(1)
    expect(await told()).toEqual(['scheduler.stalled'])
    await checkEachMinute(1, tick)
    expect(await told()).toEqual(['scheduler.stalled', 'scheduler.recovered'])
  })

  it('is told when its process lives but every tick fails', async () => {
    await addConnection()
    const countFree = () => {
      throw new Error('A fault')
    }
    const slots = { ...deps.slots, countFree }
    let isLogged = false
    const logger = { ...deps.logger, error: () => void (isLogged = true) } as never
    const stop = startWorking({ ...deps, slots, logger })
    await expect.poll(() => isLogged, { timeout: 20_000 }).toBe(true)
    await checkEachMinute(UNTIL_TOLD)
    await stop()
    expect(await told()).toEqual(['scheduler.stalled'])
  })

  it('is told when it ticks but never begins a sync that is due', async () => {
    await addConnection()
    deps.clock.advance(HOUR_MS)
    await checkEachMinute(UNTIL_TOLD, tick)
    expect(await told()).toEqual(['scheduler.stalled'])
    await deps.work()
    await checkEachMinute(1, tick)
    expect(await told()).toEqual(['scheduler.stalled', 'scheduler.recovered'])
  })
})

describe('a scheduler that works', () => {
  it('is not told to stand still because the product did not run', async () => {
    await tick()
    deps.clock.advance(DAY_MS)
    await checkEachMinute(2)
    await checkEachMinute(UNTIL_TOLD, tick)
    expect(await told()).toEqual([])
  })

  it('is not told to stand still while a sync runs for long', async () => {
    await addConnection()
    await addConnection()
    deps.clock.advance(HOUR_MS)
    const leaseUntil = deps.clock.now() + HOUR_MS
    const running = { leaseToken: 'long', leaseUntil, isRunning: true }
    const { id } = await deps.db
      .selectFrom('connections')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    await deps.db.updateTable('connections').set(running).where('id', '=', id).execute()
    await checkEachMinute(UNTIL_TOLD, tick)
    expect(await told()).toEqual([])
  })

  it('is not told to stand still while syncs wait for room on the disk', async () => {
    await addConnection()
    deps.clock.advance(HOUR_MS)
    deps.config.minFreeBytes = Number.MAX_SAFE_INTEGER
    await checkEachMinute(UNTIL_TOLD, tick)
    expect(await told()).toEqual([])
  })

  it('records its ticks once a minute, and at once after the clock was set back', async () => {
    const ticks: (number | undefined)[] = []
    const last = async () =>
      (await deps.db.selectFrom('schedulerTicks').selectAll().executeTakeFirst())?.lastTickAt
    const start = deps.clock.now()
    for (const ms of [0, 59_999, 1, -HOUR_MS]) {
      deps.clock.advance(ms)
      await tick()
      ticks.push(await last())
    }
    expect(ticks).toEqual([start, start, start + MINUTE_MS, start + MINUTE_MS - HOUR_MS])
  })
})

it('the overview says so, from a tick that is too old or a stop that was told', async () => {
  const isStalled = async () => (await readOverview(deps)).workers.isSilent
  await tick()
  deps.clock.advance(5 * MINUTE_MS)
  expect(await isStalled()).toBe(false)
  deps.clock.advance(1)
  expect(await isStalled()).toBe(true)
  await checkEachMinute(UNTIL_TOLD)
  await tick()
  expect(await isStalled()).toBe(true)
  await check()
  expect(await isStalled()).toBe(false)
})
