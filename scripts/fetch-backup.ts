import { constants, createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'

import { DomainError } from '../src/server/domain/errors'
import { BACKUP_JOB } from '../src/shared/constants'
import { backupFileSchema, cronJobSchema, type BackupFile } from '../src/shared/schemas/cron-job'
import { messageSchema } from '../src/shared/schemas/file'
import { UsageError } from './command-line'
import type { Installation } from './installation'

const POLL_MS = 1_000

/**
 * Has a running installation make a backup, and downloads it into a folder.
 * @param tell called with each step of the backup
 * @returns the path of the file, and its size in bytes
 * @throws UsageError for a folder that cannot be written to, before anything is made; DomainError when the installation does not answer, refuses the calls, or the backup fails
 */
export async function fetchBackup(
  installation: Installation,
  folder: string,
  tell: (step: string) => void,
): Promise<{ path: string; size: number }> {
  await access(folder, constants.W_OK).catch(() => {
    throw new UsageError(`${folder} is no folder that can be written to`)
  })
  const backup = await makeBackup(installation, tell)
  const path = join(folder, basename(backup.filename))
  const unfinished = `${path}.part`
  const { body } = await installation.request(
    'GET',
    new URL(backup.downloadUrl, installation.origin).pathname,
  )
  try {
    if (body) await pipeline(body, createWriteStream(unfinished, { mode: 0o600 }))
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
  return { path, size: backup.size }
}

async function makeBackup(
  { ask, origin }: Installation,
  tell: (step: string) => void,
): Promise<BackupFile> {
  const listBackups = () => ask(backupFileSchema.array(), 'GET', '/api/admin/backup-files')
  const findJob = async () => {
    const jobs = await ask(cronJobSchema.array(), 'GET', '/api/admin/cron-jobs')
    return jobs.find(({ name }) => name === BACKUP_JOB)
  }
  const known = new Set((await listBackups()).map(({ filename }) => filename))
  const before = await findJob()
  await ask(messageSchema, 'POST', '/api/admin/trigger-backup')
  let told: string | null = null
  for (;;) {
    await setTimeout(POLL_MS)
    const job = await findJob()
    const made = (await listBackups()).find(({ filename }) => !known.has(filename))
    if (made) return made
    if (job?.lastError && job.lastRun !== before?.lastRun) {
      throw new DomainError('UNAVAILABLE', `The backup at ${origin} failed: ${job.lastError}`)
    }
    if (job?.step && job.step !== told) tell(job.step)
    told = job?.step ?? told
  }
}
