import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import type { CronRun, CronTask } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import type { QueuedWork } from '../../../queue/queue'
import { createCronTask, untilStopped } from '../../../testing/fixtures/cron-tasks'
import { writeContent } from '../../../testing/fixtures/stored-files'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { cleanStorage } from '../../distribution/stored-files/storage-cleaning'
import { claimDueCronJobs } from './cron-claiming'
import {
  ensureCronJobs,
  listCronJobRuns,
  listCronJobs,
  runCronJobNow,
  setCronJobActive,
} from './cron-jobs'
import { runCronJob } from './cron-run'

type Lease = { name: string; leaseToken: string }

const NAME = 'tidy-up'
const DIED = 'The process that ran it has died'

let opened: TestDeps
let deps: TestDeps
/** Work added to the queue, which no worker takes. */
let queued: QueuedWork[]
/** The runs that have started, each with a function that lets it end. */
let started: (CronRun & { end: () => void })[]
let ending: Promise<void>[]

/** Runs until the test ends it or its signal is aborted. */
const waitingTask = createCronTask({
  name: NAME,
  run: (_deps, run) => {
    const ended = new Promise<string>((resolve) => {
      started.push({ ...run, end: () => resolve('Done') })
    })
    return Promise.race([ended, untilStopped(run.signal)])
  },
})

beforeEach(async () => {
  queued = []
  started = []
  ending = []
  opened = await openTestDeps()
  const queue = { ...opened.queue, add: async (work: QueuedWork) => void queued.push(work) }
  deps = { ...opened, queue, cronTasks: [waitingTask] }
  await ensureCronJobs(deps)
  deps.clock.advance(HOUR_MS / 2)
})
afterEach(async () => {
  for (const { end } of started) end()
  await Promise.all(ending)
  await opened.close()
})

const use = (task: Partial<CronTask>) => (deps.cronTasks = [{ ...waitingTask, ...task }])

async function claim(): Promise<Lease | undefined> {
  const known = queued.length
  await claimDueCronJobs(deps)
  return queued.slice(known).find(({ job }) => job === 'run-cron-job')?.payload as Lease
}

const run = (lease: Lease | undefined, stop = new AbortController().signal) =>
  runCronJob(deps, lease!, stop)

/** Begins a run and returns once its task has started. */
async function begin(stop?: AbortSignal) {
  const count = started.length
  const ended = run(await claim(), stop)
  ending.push(ended)
  await expect.poll(() => started.length).toBe(count + 1)
  return { ...started[count]!, ended }
}

const runs = () => listCronJobRuns(deps, NAME)
const job = async () => (await listCronJobs(deps))[0]

describe('a due job', () => {
  it('is claimed once by concurrent claims', async () => {
    const claims = await Promise.all([claimDueCronJobs(deps), claimDueCronJobs(deps)])
    expect([claims.length, queued.length]).toEqual([2, 1])
  })

  it('is claimed again when the queue has lost it', async () => {
    const lost = await claim()
    deps.clock.advance(MINUTE_MS)
    use({ run: async () => 'Done' })
    await run(await claim())
    await run(lost)
    expect(await runs()).toMatchObject([{ outcome: 'succeeded' }])
  })

  it('runs once when the queue delivers it several times', async () => {
    use({ run: async () => 'Done' })
    const lease = await claim()
    await Promise.all([run(lease), run(lease), run(lease)])
    expect(await runs()).toHaveLength(1)
  })
})

describe('a run in progress', () => {
  it('is shown as running, with its current step', async () => {
    const { report } = await begin()
    await report('Counting')
    expect(await job()).toMatchObject({ status: 'running', step: 'Counting' })
    expect(await runs()).toMatchObject([{ finishedAt: null, outcome: null, step: 'Counting' }])
  })

  it('is not started a second time on request', async () => {
    const { end, ended } = await begin()
    expect(await runCronJobNow(deps, NAME)).toEqual({ message: 'The job is already running' })
    end()
    await ended
    expect(await claim()).toBeUndefined()
  })

  it('continues to its end when its job is paused', async () => {
    const { end, ended } = await begin()
    await setCronJobActive(deps, { name: NAME, isActive: false })
    end()
    await ended
    expect(await job()).toMatchObject({ status: 'succeeded', nextRun: null })
  })

  it('keeps its scratch files during a clean-up', async () => {
    const { leaseToken } = await begin()
    const draft = deps.files.createDraft(leaseToken)
    const half = await writeContent(draft.path, 'half')
    await cleanStorage(deps, new AbortController().signal)
    await draft.commit(half)
    expect(await deps.files.has(half.sha256)).toBe(true)
  })
})

describe('a run that fails', () => {
  it('shows a DomainError’s message until a run succeeds', async () => {
    use({ run: () => Promise.reject(new DomainError('UNAVAILABLE', 'The disk is not available')) })
    await run(await claim())
    expect(await job()).toMatchObject({
      status: 'failed',
      lastError: 'The disk is not available',
      nextRun: '2026-01-15T10:00:00.000Z',
    })
    use({ run: async () => 'Done' })
    deps.clock.advance(HOUR_MS)
    await run(await claim())
    expect(await job()).toMatchObject({ status: 'succeeded', lastError: null })
  })

  it('shows a generic message for an unexpected error', async () => {
    use({ run: () => Promise.reject(new Error('secret at /srv/data')) })
    await run(await claim())
    expect(await job()).toMatchObject({
      status: 'failed',
      lastError: 'Something went wrong on our side',
    })
    expect(await claim()).toBeUndefined()
  })

  it('is stopped at its time limit', async () => {
    use({ timeoutMs: 5 })
    await (
      await begin()
    ).ended
    expect(await job()).toMatchObject({
      status: 'failed',
      lastError: 'It took too long and was stopped',
    })
    expect(await claim()).toBeUndefined()
  })
})

describe('a run whose process is stopped', () => {
  const stop = async () => {
    const stopping = new AbortController()
    const { ended } = await begin(stopping.signal)
    stopping.abort(new Error('The process is stopping'))
    await ended
  }

  it('is cancelled and due again', async () => {
    await stop()
    expect(await runs()).toMatchObject([
      { outcome: 'cancelled', error: 'The process that ran it was stopped' },
    ])
    expect(await job()).toMatchObject({ status: 'idle', lastError: null })
    expect(await claim()).toBeDefined()
  })

  it('stays requested when it was requested', async () => {
    await setCronJobActive(deps, { name: NAME, isActive: false })
    await runCronJobNow(deps, NAME)
    await stop()
    use({ run: async () => 'Done' })
    await run(await claim())
    expect(await runs()).toMatchObject([
      { outcome: 'succeeded', isRequested: true },
      { outcome: 'cancelled', isRequested: true },
    ])
    expect(await claim()).toBeUndefined()
  })
})

describe('a run whose process has died', () => {
  /** Starts a run that never finishes, and lets its lease expire. */
  const die = async () => {
    await begin()
    deps.clock.advance(MINUTE_MS)
  }

  it('is retried once', async () => {
    await die()
    use({ run: async () => 'Done' })
    await run(await claim())
    expect(await runs()).toMatchObject([
      { outcome: 'succeeded' },
      { outcome: 'cancelled', error: DIED },
    ])
  })

  it.each([
    ['due', async () => undefined],
    ['requested', () => runCronJobNow(deps, NAME)],
  ])('is not retried a second time when it was %s', async (_why, prepare) => {
    await prepare()
    await die()
    await die()
    expect(await claim()).toBeUndefined()
    expect(await job()).toMatchObject({ status: 'failed', lastError: DIED })
    expect(await runs()).toMatchObject([{ outcome: 'failed' }, { outcome: 'cancelled' }])
    deps.clock.advance(HOUR_MS)
    expect(await claim()).toBeDefined()
  })

  it('is not retried when its job has been paused', async () => {
    await die()
    await setCronJobActive(deps, { name: NAME, isActive: false })
    expect(await claim()).toBeUndefined()
    expect(await job()).toMatchObject({ status: 'failed', lastError: DIED })
  })

  it('does not change the job when it finishes after all', async () => {
    const late = await begin()
    deps.clock.advance(MINUTE_MS)
    const next = await begin()
    late.end()
    await late.ended
    expect(await job()).toMatchObject({ status: 'running' })
    next.end()
    await next.ended
    expect(await runs()).toMatchObject([
      { outcome: 'succeeded' },
      { outcome: 'cancelled', error: 'Another run has taken over' },
    ])
  })
})
