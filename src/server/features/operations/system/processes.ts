import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { inLossyTransaction, inTransaction } from '../../../db/open'
import type { ProcessRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import {
  deleteProcess,
  deleteProcessesBefore,
  listProcessesSince,
  putProcess,
} from './processes.queries'

const BEAT_EVERY_MS = MINUTE_MS
/** A process that has missed two beats does not run, or cannot write. */
const SEEN_WITHIN_MS = 3 * BEAT_EVERY_MS
const FORGOTTEN_AFTER_MS = HOUR_MS

/** What is known of a process when it starts. */
export type OwnProcess = Pick<ProcessRow, 'id' | 'role' | 'host' | 'pid' | 'runtime'>

/** The processes that have said lately that they run, of all machines. Those of earlier versions say nothing. */
export const listRunning = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<ProcessRow[]> =>
  listProcessesSince(db, clock.now() - SEEN_WITHIN_MS)

/** `0.1.0`, or `0.1.0 (1234567)` of a commit. */
const versionOf = ({ version, revision }: Pick<ProcessRow, 'version' | 'revision'>) =>
  revision === null ? version : `${version} (${revision.slice(0, 7)})`

export const isMixed = (running: ProcessRow[]): boolean => new Set(running.map(versionOf)).size > 1

/** `0.1.0 on alpha, 0.2.0 on beta and gamma` */
export function describeVersions(running: ProcessRow[]): string {
  const hosts = Map.groupBy(running, versionOf)
  return [...hosts]
    .map(
      ([version, rows]) =>
        `${version} on ${[...new Set(rows.map(({ host }) => host))].join(' and ')}`,
    )
    .join(', ')
}

/** Says that this process runs, and forgets those that have not said so for an hour. */
export async function beat(deps: Deps, own: OwnProcess & { startedAt: number }): Promise<void> {
  const { productVersion: version, productRevision: revision = null } = deps.config
  const now = deps.clock.now()
  await inLossyTransaction(deps.db, async (trx) => {
    await putProcess(trx, { ...own, version, revision, seenAt: now })
    await deleteProcessesBefore(trx, now - FORGOTTEN_AFTER_MS)
  })
}

/**
 * Says once a minute that this process runs.
 * @returns a function that stops this, and says that it runs no more
 */
export function startBeating(deps: Deps, own: OwnProcess): () => Promise<void> {
  const startedAt = deps.clock.now()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let hasFailed = false
  const beatLogged = async () => {
    try {
      await beat(deps, { ...own, startedAt })
      hasFailed = false
    } catch (error) {
      // Logged once: while the disk is full, every beat fails.
      if (!hasFailed)
        deps.logger.warn({ err: error }, 'It could not be recorded that this process runs')
      hasFailed = true
    }
    if (!isStopped) timer = setTimeout(() => void (beating = beatLogged()), BEAT_EVERY_MS).unref()
  }
  let beating = beatLogged()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await beating
    // If that fails, it is forgotten in an hour.
    await inTransaction(deps.db, (trx) => deleteProcess(trx, own.id)).catch(() => undefined)
  }
}
