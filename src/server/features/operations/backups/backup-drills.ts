import { DRILL_JOB } from '../../../../shared/constants'
import type { BackupDrill } from '../../../../shared/schemas/cron-job'
import { inTransaction } from '../../../db/open'
import type { BackupDrillRow, CronJobRow } from '../../../db/schema'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstantOrNull } from '../../../domain/instant'
import { isLeased } from '../../../domain/lease'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { recordAudit } from '../../people/audit/record-audit'
import { findCronJob, updateCronJob } from '../cron-jobs/cron-jobs.queries'
import { listDrillRows, putDrillRequest } from './backup-drills.queries'
import { findBackupFile } from './stored-backups'

/**
 * Asks for the drill of a backup now, even when its job is paused or deleted. Those that are asked for before a run
 * begins are done in it, one after the other.
 * @throws DomainError NOT_FOUND without such a backup, CONFLICT while another one is being tested
 */
export async function requestDrill(
  deps: Deps,
  actor: { id: number },
  fileName: string,
): Promise<{ message: string }> {
  await countAttempts(deps, [{ limit: 'testBackup', subject: actor.id }])
  const { name } = await findBackupFile(deps, fileName)
  const isNew = await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const job = await findCronJob(trx, DRILL_JOB)
    if (!job) throw notFound('Job that tests backups')
    const known = (await listDrillRows(trx)).find(({ backup }) => backup === name)
    if (known && isUnderWay(known, job, now)) return false
    if (job.isRunning && isLeased(job, now)) {
      throw new DomainError(
        'CONFLICT',
        'Another backup is being tested. Try again once that is done.',
      )
    }
    await putDrillRequest(trx, name, now)
    await updateCronJob(trx, DRILL_JOB, { requestedAt: now })
    await recordAudit(trx, deps, { action: 'backup.test', subject: { name: fileName } })
    return true
  })
  await wakeScheduler(deps)
  return { message: isNew ? 'The test of the backup is starting' : 'It is already being tested' }
}

/** What came of the drill of each backup, by its name; those that were never tried are missing. */
export async function readDrills(deps: Deps): Promise<Map<string, BackupDrill>> {
  const rows = await listDrillRows(deps.db)
  const job = rows.length === 0 ? undefined : await findCronJob(deps.db, DRILL_JOB)
  const now = deps.clock.now()
  return new Map(
    rows.map((row) => {
      const { backup, finishedAt, outcome, reason } = row
      const isRunning = isUnderWay(row, job, now)
      return [backup, { isRunning, finishedAt: toInstantOrNull(finishedAt), outcome, reason }]
    }),
  )
}

/** A drill whose process has died twice is not done any more, until it is asked for again. */
function isUnderWay(
  { requestedAt }: BackupDrillRow,
  job: CronJobRow | undefined,
  now: number,
): boolean {
  return requestedAt !== null && !!job && (job.requestedAt !== null || isLeased(job, now))
}
