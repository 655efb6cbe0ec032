import { dirname } from 'node:path'

import type { Config } from '../config'
import { DomainError } from '../domain/errors'
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
import { awaitUnused } from './restore-database'
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
  /**
   * Replaces the data. Nobody may have the database open; for as long as `patienceMs`, others are waited for.
   * @throws DomainError when nothing was replaced; UnfinishedRestoreError when the next start has to complete it
   */
  complete(report: (line: string) => void, patienceMs?: number): Promise<void>
  /** Removes what is staged; the data stays as it is. */
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
  const discard = async () => {
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
    const complete = async (line: (text: string) => void, patienceMs = 0) => {
      try {
        // First, so that no process opens the data once it is known that none has.
        await writeRestoreState(config.dataDir, { step: 'staging', isResumed: true })
        await awaitUnused(config, patienceMs)
        await writeRestoreState(config.dataDir, moving)
      } catch (error) {
        await clearRestoreState(config.dataDir)
        await discard()
        throw isConflict(error) ? stillOpen() : explain(error)
      }
      await moveIntoPlace(config, moving, { report: line }).catch((error: unknown) => {
        throw unfinished(backup, error)
      })
      await release()
    }
    return { backup, complete, discard }
  } catch (error) {
    await discard()
    signal?.throwIfAborted()
    throw explain(error)
  }
}

/**
 * At a start: completes a restore that was begun in the browser and whose process has died while it replaced the data,
 * and removes what one has staged that died before.
 * @throws UnfinishedRestoreError
 */
export async function resumeRestore(config: Config, report: (line: string) => void): Promise<void> {
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
