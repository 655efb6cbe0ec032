import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { BACKUP_JOB } from '../../../../shared/constants'
import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { createCronTask } from '../../../testing/fixtures/cron-tasks'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import {
  deleteCronJob,
  ensureCronJobs,
  listCronJobRuns,
  listCronJobs,
  restoreCronJobs,
  runCronJobNow,
  setCronJobActive,
  triggerBackup,
} from './cron-jobs'

const TIDY_UP = 'tidy-up'
const notFound = { code: 'NOT_FOUND', message: 'Cron job not found' }

let deps: TestDeps
let runs: string[]

beforeEach(async () => {
  runs = []
  const record = (name: string) => async () => `Run ${runs.push(name)}`
  const cronTasks = [
    createCronTask({ name: BACKUP_JOB, schedule: '0 3 * * *', run: record(BACKUP_JOB) }),
    createCronTask({ name: TIDY_UP, run: record(TIDY_UP) }),
  ]
  deps = await openTestDeps({}, { cronTasks })
  await ensureCronJobs(deps)
})
afterEach(() => deps.close())

const names = async () => (await listCronJobs(deps)).map(({ name }) => name)
const job = async (name = TIDY_UP) =>
  (await listCronJobs(deps)).find((listed) => listed.name === name)

describe('the built-in jobs', () => {
  it('do not run before their first scheduled time', async () => {
    await deps.work()
    expect(runs).toEqual([])
    expect(await job(BACKUP_JOB)).toEqual({
      name: BACKUP_JOB,
      description: 'Tidies up',
      schedule: '0 3 * * *',
      scheduleText: 'At 03:00 UTC',
      lastRun: null,
      status: 'idle',
      nextRun: '2026-01-16T03:00:00.000Z',
      isActive: true,
      step: null,
      lastError: null,
    })
  })

  it('run once when they are due', async () => {
    deps.clock.advance(HOUR_MS / 2)
    await deps.work()
    await deps.work()
    expect(runs).toEqual([TIDY_UP])
    expect(await job()).toMatchObject({
      status: 'succeeded',
      lastRun: '2026-01-15T09:00:00.000Z',
      nextRun: '2026-01-15T10:00:00.000Z',
    })
  })

  it('run once after a downtime, however many runs were missed', async () => {
    deps.clock.advance(50 * HOUR_MS)
    await ensureCronJobs(deps)
    await deps.work()
    await deps.work()
    expect(runs.toSorted()).toEqual([BACKUP_JOB, TIDY_UP])
  })

  it('use the schedule of a new release', async () => {
    const cronTasks = [createCronTask({ name: BACKUP_JOB, schedule: '0 5 * * *' })]
    await ensureCronJobs({ ...deps, cronTasks })
    expect(await job(BACKUP_JOB)).toMatchObject({
      schedule: '0 5 * * *',
      nextRun: '2026-01-16T05:00:00.000Z',
    })
  })

  it('return to their schedules after the clock was set back', async () => {
    deps.clock.advance(10 * 365 * DAY_MS)
    await deps.work()
    deps.clock.advance(-10 * 365 * DAY_MS)
    await ensureCronJobs(deps)
    expect(await job()).toMatchObject({ nextRun: '2026-01-15T09:00:00.000Z' })
  })

  it('are not run by a release that does not know them', async () => {
    deps.clock.advance(HOUR_MS)
    const older = { ...deps, cronTasks: [] }
    expect(await listCronJobs(older)).toEqual([])
    await expect(runCronJobNow(older, TIDY_UP)).rejects.toMatchObject(notFound)
  })
})

describe('a deleted job', () => {
  beforeEach(() => deleteCronJob(deps, TIDY_UP))

  it('stays deleted after a restart and does not run', async () => {
    await ensureCronJobs(deps)
    deps.clock.advance(2 * HOUR_MS)
    await deps.work()
    expect([await names(), runs]).toEqual([[BACKUP_JOB], []])
  })

  it('is not found by any call', async () => {
    await expect(deleteCronJob(deps, TIDY_UP)).rejects.toMatchObject(notFound)
    await expect(runCronJobNow(deps, TIDY_UP)).rejects.toMatchObject(notFound)
    const pausing = setCronJobActive(deps, { name: TIDY_UP, isActive: false })
    await expect(pausing).rejects.toMatchObject(notFound)
    await expect(listCronJobRuns(deps, 'unknown')).rejects.toMatchObject(notFound)
  })

  it('is restored with the others, on its schedule', async () => {
    await deleteCronJob(deps, BACKUP_JOB)
    deps.clock.advance(2 * HOUR_MS)
    expect(await restoreCronJobs(deps)).toEqual({ message: '2 jobs restored' })
    expect(await restoreCronJobs(deps)).toEqual({ message: 'No built-in job is deleted' })
    expect(await names()).toEqual([BACKUP_JOB, TIDY_UP])
    expect(await job()).toMatchObject({ isActive: true, nextRun: '2026-01-15T11:00:00.000Z' })
  })

  it('keeps its history', async () => {
    await restoreCronJobs(deps)
    await runCronJobNow(deps, TIDY_UP)
    await deps.work()
    await deleteCronJob(deps, TIDY_UP)
    expect(await listCronJobRuns(deps, TIDY_UP)).toHaveLength(1)
  })
})

describe('a paused job', () => {
  const pause = (isActive: boolean) => setCronJobActive(deps, { name: TIDY_UP, isActive })

  it('does not run, even after a restart', async () => {
    expect(await pause(false)).toMatchObject({ isActive: false, nextRun: null })
    deps.clock.advance(2 * HOUR_MS)
    await ensureCronJobs(deps)
    await deps.work()
    expect(runs).toEqual([])
  })

  it('resumes its schedule without the runs that it missed', async () => {
    await pause(false)
    deps.clock.advance(2 * HOUR_MS)
    expect(await pause(true)).toMatchObject({ isActive: true, nextRun: '2026-01-15T11:00:00.000Z' })
    await deps.work()
    expect(runs).toEqual([])
  })

  it('keeps a due run when an active job is resumed', async () => {
    deps.clock.advance(2 * HOUR_MS)
    await pause(true)
    await deps.work()
    expect(runs).toEqual([TIDY_UP])
  })

  it('runs on request and stays paused', async () => {
    await pause(false)
    await runCronJobNow(deps, TIDY_UP)
    await deps.work()
    await deps.work()
    expect(runs).toEqual([TIDY_UP])
    expect(await job()).toMatchObject({ isActive: false, nextRun: null, status: 'succeeded' })
  })
})

describe('running a job now', () => {
  it('starts it before the next tick and does not change its schedule', async () => {
    expect(await runCronJobNow(deps, TIDY_UP)).toEqual({ message: 'The job is starting' })
    await deps.queue.idle()
    expect(await listCronJobRuns(deps, TIDY_UP)).toMatchObject([
      { isRequested: true, outcome: 'succeeded', summary: 'Run 1', error: null },
    ])
    expect(await job()).toMatchObject({ nextRun: '2026-01-15T09:00:00.000Z' })
  })

  it('runs a job once that is also due by its schedule', async () => {
    deps.clock.advance(HOUR_MS)
    await runCronJobNow(deps, TIDY_UP)
    await deps.work()
    expect(runs).toEqual([TIDY_UP])
  })
})

describe('triggering a backup', () => {
  it.each([
    ['paused', () => setCronJobActive(deps, { name: BACKUP_JOB, isActive: false })],
    ['deleted', () => deleteCronJob(deps, BACKUP_JOB)],
  ])('makes a backup even when the job is %s', async (_state, change) => {
    await change()
    expect(await triggerBackup(deps)).toEqual({ message: 'Backup process triggered' })
    await deps.work()
    expect(await listCronJobRuns(deps, BACKUP_JOB)).toMatchObject([{ outcome: 'succeeded' }])
  })

  it('starts one backup for many concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => triggerBackup(deps)))
    await deps.work()
    expect(runs).toEqual([BACKUP_JOB])
    const messages = responses.map(({ message }) => message)
    expect(messages.filter((message) => message === 'Backup process triggered')).toHaveLength(1)
    expect(messages).toContain('A backup is already about to start')
  })
})

describe('the runs of a job', () => {
  it('are listed newest first, at most fifty', async () => {
    for (let run = 1; run <= 51; run++) {
      await runCronJobNow(deps, TIDY_UP)
      await deps.work()
    }
    const listed = await listCronJobRuns(deps, TIDY_UP)
    expect(listed.map(({ summary }) => summary)).toEqual(
      Array.from({ length: 50 }, (_, index) => `Run ${51 - index}`),
    )
  })
})
