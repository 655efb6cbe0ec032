import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { THE_PRODUCT, type Subject } from './events'
import { closeProblems, openProblem, settleProblems, type ProblemKind } from './problems'

let deps: TestDeps
const feed: Subject = { ...THE_PRODUCT, key: 'connection 5', names: { connectionName: 'Main' } }

beforeEach(async () => {
  deps = await openTestDeps()
})
afterEach(() => deps.close())

const open = (kind: ProblemKind = 'feed.failed', reason = '503') =>
  inTransaction(deps.db, (trx) =>
    openProblem(trx, feed, { kind, now: deps.clock.now(), details: { reason } }),
  )
const close = (isTold = true) =>
  inTransaction(deps.db, (trx) =>
    closeProblems(trx, feed, {
      kinds: ['feed.failed', 'feed.held', 'feed.late'],
      now: deps.clock.now(),
      isTold,
    }),
  )

async function settle(ms: number) {
  deps.clock.advance(ms)
  await settleProblems(deps)
}

async function told() {
  const events = await deps.db.selectFrom('events').select('kind').orderBy('id').execute()
  return events.map(({ kind }) => kind)
}

describe('a problem', () => {
  it('is told once while it is open, and keeps its newest details', async () => {
    await open('feed.failed', 'first')
    deps.clock.advance(MINUTE_MS)
    await open('feed.failed', 'second')
    expect(await told()).toEqual(['feed.failed'])
    const [problem] = await deps.db.selectFrom('problems').selectAll().execute()
    expect(problem).toMatchObject({ lastSeenAt: deps.clock.now(), details: { reason: 'second' } })
  })

  it('and others of the same feed end with one recovery', async () => {
    await open('feed.failed')
    await open('feed.late')
    await close()
    await close()
    expect(await told()).toEqual(['feed.failed', 'feed.late', 'feed.recovered'])
  })

  it('can end without a recovery', async () => {
    await open()
    await close(false)
    await settle(2 * HOUR_MS)
    expect(await told()).toEqual(['feed.failed'])
  })

  it('is told again when it comes six hours after its end', async () => {
    await open()
    await close()
    deps.clock.advance(6 * HOUR_MS)
    await open()
    await close()
    expect(await told()).toEqual(['feed.failed', 'feed.recovered', 'feed.failed', 'feed.recovered'])
  })
})

describe('a problem that comes and goes', () => {
  async function flap(times: number) {
    for (let count = 0; count < times; count++) {
      await open()
      await settle(10 * MINUTE_MS)
      await close()
      await settle(10 * MINUTE_MS)
    }
  }

  it('is told once, with its first end, and no more when it stays solved', async () => {
    await flap(9)
    await settle(2 * HOUR_MS)
    expect(await told()).toEqual(['feed.failed', 'feed.recovered'])
  })

  it('is told again when it has stayed for an hour, and so is its end then', async () => {
    await flap(3)
    await open()
    await settle(HOUR_MS - 1)
    expect(await told()).toEqual(['feed.failed', 'feed.recovered'])
    await settle(1)
    await settle(HOUR_MS)
    expect(await told()).toEqual(['feed.failed', 'feed.recovered', 'feed.failed'])
    await close()
    expect((await told()).at(-1)).toBe('feed.recovered')
  })

  it('is settled only once, by whichever process looks first', async () => {
    await flap(1)
    await open()
    deps.clock.advance(HOUR_MS)
    await Promise.all([settleProblems(deps), settleProblems(deps)])
    expect(await told()).toEqual(['feed.failed', 'feed.recovered', 'feed.failed'])
  })
})
