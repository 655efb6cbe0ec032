import { dirname } from 'node:path'

import type { Config } from '../config'
import { inTransaction } from '../db/open'
import { DomainError } from '../domain/errors'
import { INTERRUPTED } from '../features/operations/restores/restores'
import { endStoppedRestore } from '../features/operations/restores/restores.queries'
import { findSecretBoxes } from '../secrets/secret-box'
import { prepareInThread } from './prepare-in-thread'
import {
  explain,
  lockRestores,
  moveIntoPlace,
  otherRestore,
  planMoves,
  stageForMoves,
  toMoving,
} from './restore'
import { awaitUnused, withDatabase } from './restore-database'
import { exists, removeStagingFolders } from './restore-moves'
import { readSpareBytes } from './restore-staging'
import { clearRestoreState, readRestoreState, writeRestoreState } from './restore-state'

export type StagedRestoreOptions = {
  /** Accepts a backup that no available key can verify, because whoever asks vouches for it. */
  isTrusted: boolean
  /** Unix milliseconds. */
  now: number
  report(line: string): void | Promise<void>
  /** Writes into the restored database who has restored it. */
  record(databasePath: string, backup: string): Promise<void>
  /** Ends it early. */
  signal?: AbortSignal
}

/** A backup that is checked and ready, beside the data that it is to replace. */
export type StagedRestore = {
  backup: string
  /** From now on no process begins on the data folder; the next start of the product settles what becomes of it. */
  begin(): Promise<void>
  /**
   * Replaces the data. Nobody may have the database open; for as long as `patienceMs`, others are waited for.
   * @throws DomainError when nothing was replaced, which `resumeRestore` then settles; UnfinishedRestoreError when the next
   *   start has to complete it
   */
  complete(report: (line: string) => void, patienceMs?: number): Promise<void>
  /** Removes what is staged; the data stay as they are, and processes may begin on them. */
  discard(): Promise<void>
}

/** The data are being replaced, and cannot be used until that is completed. */
export class UnfinishedRestoreError extends DomainError {}

/**
 * Unpacks and checks a backup while the product goes on, as `restoreBackup` does while it is stopped. Until it is
 * completed nothing says that there is a restore: should the process die, the product starts as if there had been none.
 * @param file as in `restoreBackup`
 * @throws DomainError with the reason when the backup cannot be restored, or another restore runs; the signal's reason
 */
export async function stageWhileServing(
  config: Config,
  file: string,
  { isTrusted, now, report, record, signal }: StagedRestoreOptions,
): Promise<StagedRestore> {
  const release = lockRestores(config)
  if (!release) throw otherRestore()
  const moves = planMoves(config, now)
  const remove = async () => {
    await removeStagingFolders(Object.values(moves))
    await release()
  }
  try {
    const trust = { boxes: await findSecretBoxes(config), isTrusted }
    const backup = await stageForMoves(config, file, moves, {
      now,
      report,
      trust,
      spareBytes: await readSpareBytes(config, config.dataDir),
      prepare: prepareInThread,
      ...(signal && { signal }),
    })
    signal?.throwIfAborted()
    await record(moves.database.staged, backup)
    const moving = { ...toMoving(backup, moves), isResumed: true }
    const begin = () => writeRestoreState(config.dataDir, { step: 'staging', isResumed: true })
    const complete = async (line: (text: string) => void, patienceMs = 0) => {
      try {
        // First, so that no process opens the data once it is known that none has.
        await begin()
        await awaitUnused(config, patienceMs)
        line('Putting the backup into place')
        await writeRestoreState(config.dataDir, moving)
      } catch (error) {
        // What the disk says of it decides, even if nothing can be written to it any more.
        await begin().then(remove, release)
        throw isConflict(error) ? stillOpen() : explain(error)
      }
      await moveIntoPlace(config, moving, { report: line }).catch((error: unknown) => {
        throw unfinished(backup, error)
      })
      await release()
    }
    const discard = async () => {
      await clearRestoreState(config.dataDir)
      await remove()
    }
    return { backup, begin, complete, discard }
  } catch (error) {
    await remove()
    signal?.throwIfAborted()
    throw explain(error)
  }
}

type ResumeOptions = {
  /** Unix milliseconds. */
  now: number
  report(line: string): void
  /** Why nothing was replaced, for whoever has asked for it. */
  reason?: string | undefined
}

/**
 * At a start: completes a restore that was begun in the browser and whose process has died while it replaced the data,
 * and removes what one has staged that died before, or could not replace the data.
 * @throws UnfinishedRestoreError
 */
export async function resumeRestore(
  config: Config,
  { now, report, reason = INTERRUPTED }: ResumeOptions,
): Promise<void> {
  if (!(await isLeft(config))) return
  const release = lockRestores(config)
  // It is under way in another process.
  if (!release) return
  try {
    const state = await readRestoreState(config.dataDir)
    if (state?.step === 'moving') {
      if (!state.isResumed) return
      report(`The restore of ${state.backup} was interrupted and is now completed`)
      await awaitUnused(config, 0)
        .then(() => moveIntoPlace(config, state, { report }))
        .catch((error: unknown) => {
          throw unfinished(state.backup, error)
        })
      return
    }
    if (state && !state.isResumed) return
    await removeStagingFolders(Object.values(planMoves(config, 0)))
    if (!state) return
    // Before processes may begin again, which look at both.
    await withDatabase(config, (db) =>
      inTransaction(db, (trx) => endStoppedRestore(trx, { endedAt: now, reason })),
    )
    await clearRestoreState(config.dataDir)
  } finally {
    await release()
  }
}

/** Whether a restore has left anything. */
async function isLeft(config: Config): Promise<boolean> {
  if (await readRestoreState(config.dataDir)) return true
  const staged = Object.values(planMoves(config, 0)).map((move) => exists(dirname(move.staged)))
  return (await Promise.all(staged)).includes(true)
}

const isConflict = (error: unknown) => error instanceof DomainError && error.code === 'CONFLICT'

const stillOpen = () =>
  new DomainError(
    'CONFLICT',
    'Other processes of the product have its database open, workers for example. Stop them, and restore again. Nothing was changed.',
  )

function unfinished(backup: string, error: unknown): UnfinishedRestoreError {
  const reason = error instanceof Error ? error.message : String(error)
  return new UnfinishedRestoreError(
    'UNAVAILABLE',
    `The restore of ${backup} is not completed, which is tried again at the next start: ${reason}`,
  )
}
