import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { BACKUP_JOB } from '../../../../shared/constants'
import { openFileDeps } from '../../../testing/fixtures/stock'
import type { TestDeps } from '../../../testing/stages/test-deps'
import { claimCronJob } from '../cron-jobs/cron-claiming'
import {
  deleteCronJob,
  ensureCronJobs,
  listCronJobRuns,
  triggerBackup,
} from '../cron-jobs/cron-jobs'
import { backUpNow } from './backup-now'
import { listBackupFiles } from './backups'

let deps: TestDeps

beforeEach(async () => {
  deps = await openFileDeps()
  await ensureCronJobs(deps)
})
afterEach(() => deps.close())

const silent = () => undefined

describe('backUpNow', () => {
  it('runs the backup job and records the run like any other', async () => {
    const steps: string[] = []
    const { filename } = await backUpNow(deps, (step) => void steps.push(step))
    expect(steps).toContain('Publishing')
    expect(await listBackupFiles(deps)).toMatchObject([{ filename }])
    expect(await listCronJobRuns(deps, BACKUP_JOB)).toMatchObject([
      { outcome: 'succeeded', isRequested: true, summary: expect.stringContaining('0 files') },
    ])
  })

  it('makes one backup when called twice at once', async () => {
    const results = await Promise.allSettled([backUpNow(deps, silent), backUpNow(deps, silent)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results).toContainEqual(
      expect.objectContaining({
        reason: expect.objectContaining({ message: 'A backup is already in progress' }),
      }),
    )
    expect(await listCronJobRuns(deps, BACKUP_JOB)).toHaveLength(1)
  })

  it('is refused while a worker is making a backup', async () => {
    await claimCronJob(deps, BACKUP_JOB)
    await expect(backUpNow(deps, silent)).rejects.toThrow('A backup is already in progress')
    expect(await triggerBackup(deps)).toEqual({ message: 'A backup is already about to start' })
  })

  it('works when the job was deleted, and leaves the job deleted', async () => {
    await deleteCronJob(deps, BACKUP_JOB)
    await backUpNow(deps, silent)
    await deps.work()
    expect(await listCronJobRuns(deps, BACKUP_JOB)).toHaveLength(1)
  })

  it('fails with the reason when no backup could be made', async () => {
    const backups = { ...deps.backups, freeBytes: async () => 0 }
    await expect(backUpNow({ ...deps, backups }, silent)).rejects.toThrow(
      /^A backup needs \d+ MB of disk space, and 0 Bytes are free$/,
    )
    expect(await listCronJobRuns(deps, BACKUP_JOB)).toMatchObject([{ outcome: 'failed' }])
  })
})
