import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { BACKUP_JOB } from '../../../shared/constants'
import { openFileDeps } from '../../testing/stock'
import type { TestDeps } from '../../testing/test-deps'
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

describe('a backup that is made at once', () => {
  it('is a run of the backup job like any other', async () => {
    const told: string[] = []
    const { filename } = await backUpNow(deps, (step) => void told.push(step))
    expect(told).toContain('Publishing')
    expect(await listBackupFiles(deps)).toMatchObject([{ filename }])
    expect(await listCronJobRuns(deps, BACKUP_JOB)).toMatchObject([
      { outcome: 'succeeded', isRequested: true, summary: expect.stringContaining('0 files') },
    ])
  })

  it('is made by one of two that want it', async () => {
    const results = await Promise.allSettled([backUpNow(deps, silent), backUpNow(deps, silent)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results).toContainEqual(
      expect.objectContaining({
        reason: expect.objectContaining({ message: 'A backup is being made already' }),
      }),
    )
    expect(await listCronJobRuns(deps, BACKUP_JOB)).toHaveLength(1)
  })

  it('is not made beside the one that a worker makes', async () => {
    await claimCronJob(deps, BACKUP_JOB)
    await expect(backUpNow(deps, silent)).rejects.toThrow('A backup is being made already')
    expect(await triggerBackup(deps)).toEqual({ message: 'A backup is about to start already' })
  })

  it('is made although its job was deleted, and leaves it so', async () => {
    await deleteCronJob(deps, BACKUP_JOB)
    await backUpNow(deps, silent)
    await deps.work()
    expect(await listCronJobRuns(deps, BACKUP_JOB)).toHaveLength(1)
  })

  it('says why it was not made', async () => {
    const backups = { ...deps.backups, freeBytes: async () => 0 }
    await expect(backUpNow({ ...deps, backups }, silent)).rejects.toThrow(
      /^A backup needs 64 MB of disk space, and 0 Bytes are free$/,
    )
    expect(await listCronJobRuns(deps, BACKUP_JOB)).toMatchObject([{ outcome: 'failed' }])
  })
})
