import { DRILL_JOB } from '../../../../shared/constants'
import { HOUR_MS } from '../../../../shared/durations'
import { formatCountOf } from '../../../../shared/format'
import { inTransaction } from '../../../db/open'
import type { CronRun, CronTask, Deps } from '../../../domain/deps'
import { DomainError, OUR_FAULT } from '../../../domain/errors'
import { isLeasedBy, LeaseLostError } from '../../../domain/lease'
import { aboutBackup } from '../../alerting/alerts/events'
import { closeProblems, openProblem } from '../../alerting/alerts/problems'
import { findCronJob } from '../cron-jobs/cron-jobs.queries'
import { deleteDrill, listDrillRows, putDrillRequest, updateDrill } from './backup-drills.queries'

const KIND = 'backup.test-failed'
/** Of a reason that is kept: all of them are in the list of backups. */
const MAX_REASON_LENGTH = 300
/** Of failed drills, what the run tells. */
const MAX_TOLD = 3

/** Restores the backups that somebody asked for, or else the newest one, into a scratch folder, and compares them. */
export const drillTask: CronTask = {
  name: DRILL_JOB,
  description: 'Restores the newest backup into a scratch folder, and compares it',
  schedule: '0 5 * * 0',
  timeoutMs: 12 * HOUR_MS,
  run: runDrills,
}

async function runDrills(deps: Deps, run: CronRun): Promise<string> {
  const backups = await chooseBackups(deps)
  if (backups.length === 0) return 'There is no backup to test'
  const startedAt = deps.clock.now()
  const failures: string[] = []
  let passed = 0
  for (const backup of backups) {
    const tried = await tryBackup(deps, run, backup)
    if (tried === 'passed') passed += 1
    else if (tried) failures.push(`${backup}: ${tried.reason}`)
  }
  if (failures.length > 0) throw new DomainError('INVALID', failures.slice(0, MAX_TOLD).join('. '))
  const seconds = Math.ceil((deps.clock.now() - startedAt) / 1_000)
  return `${formatCountOf(passed, 'backup')} restored and compared in ${seconds} s`
}

/** Asks for the newest backup if none is asked for, so that it is tried again should this process die. */
async function chooseBackups(deps: Deps): Promise<string[]> {
  const names = (await deps.backups.list()).map(({ name }) => name)
  return inTransaction(deps.db, async (trx) => {
    const rows = await listDrillRows(trx)
    const now = deps.clock.now()
    for (const { backup } of rows.filter((row) => !names.includes(row.backup))) {
      await deleteDrill(trx, backup)
      await closeProblems(trx, aboutBackup(backup), { kinds: [KIND], now })
    }
    const asked = rows.filter(({ backup, requestedAt }) => {
      return requestedAt !== null && names.includes(backup)
    })
    const [newest] = names
    if (asked.length > 0 || newest === undefined) return asked.map(({ backup }) => backup)
    await putDrillRequest(trx, newest, now)
    return [newest]
  })
}

/** @returns undefined when the backup was removed meanwhile */
async function tryBackup(
  deps: Deps,
  run: CronRun,
  backup: string,
): Promise<'passed' | { reason: string } | undefined> {
  const { signal } = run
  try {
    const report = (step: string) => run.report(`${step} (${backup})`)
    const now = deps.clock.now()
    await deps.rehearseRestore(backup, { owner: run.leaseToken, now, signal, report })
  } catch (error) {
    const isTimeout = signal.aborted && (signal.reason as Error).name === 'TimeoutError'
    if (signal.aborted && !isTimeout) throw error
    if (!isTimeout && !(await deps.backups.find(backup))) return undefined
    const reason = isTimeout ? 'It took too long and was stopped' : toReason(deps, error)
    await record(deps, run, backup, reason)
    if (isTimeout) throw error
    return { reason }
  }
  await record(deps, run, backup, null)
  return 'passed'
}

/**
 * Records what came of a drill; administrators are told of a failure.
 * @param reason null when it passed
 * @throws LeaseLostError when another run has taken over
 */
async function record(
  deps: Deps,
  run: CronRun,
  backup: string,
  reason: string | null,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const job = await findCronJob(trx, DRILL_JOB)
    if (!job || !isLeasedBy(job, run.leaseToken, now)) {
      throw new LeaseLostError('Another run has taken over')
    }
    const outcome = reason === null ? 'passed' : 'failed'
    await updateDrill(trx, backup, { finishedAt: now, outcome, reason })
    const about = aboutBackup(backup)
    if (reason === null) await closeProblems(trx, about, { kinds: [KIND], now })
    else await openProblem(trx, about, { kind: KIND, now, details: { reason } })
  })
}

function toReason({ logger }: Deps, error: unknown): string {
  if (error instanceof DomainError) return error.message.slice(0, MAX_REASON_LENGTH)
  logger.error({ err: error }, 'A backup could not be tested because of an unexpected error')
  return OUR_FAULT
}
