import type { Deps } from '../domain/deps'
import { toReason } from '../domain/errors'
import { keepLease } from '../domain/lease'
import { logFailure } from '../domain/log-failure'
import {
  failRestore,
  renewRestore,
  reportRestore,
  stopForRestore,
  type TakenRestore,
} from '../features/operations/restores/restore-lease'
import { INTERRUPTED, requireOneVersion } from '../features/operations/restores/restores'
import { findUser } from '../features/people/accounts/users.queries'
import { recordRestored } from '../restore/record-restored'
import { stageWhileServing, type StagedRestore } from '../restore/staged-restore'
import { toRestorable } from '../storage/backup-place'

/**
 * Checks and unpacks the backup that an administrator has asked for while the product goes on, and then lets all processes
 * stop.
 * @param signal ends it early: the process stops
 * @returns what is to replace the data once nothing is open here; undefined when nothing is to be restored, which is
 *   told where the backups are listed
 */
export async function leadRestore(
  deps: Deps,
  taken: TakenRestore,
  signal: AbortSignal,
): Promise<StagedRestore | undefined> {
  const { config, clock, db, logger } = deps
  const lease = keepLease(() => renewRestore(deps, taken), signal)
  let staged: StagedRestore | undefined
  try {
    const asker = taken.requestedById === null ? undefined : await findUser(db, taken.requestedById)
    staged = await stageWhileServing(config, toRestorable(config, taken.backup), {
      isTrusted: false,
      now: clock.now(),
      signal: lease.signal,
      report: (line) => reportRestore(deps, taken, line),
      record: (path, backup) =>
        recordRestored(path, deps, {
          token: taken.token,
          backup,
          by: asker ?? null,
          address: null,
        }),
    })
    await requireOneVersion(deps)
    // Before others are told to stop: whatever becomes of this process, its next start lets them begin again.
    await staged.begin()
    await stopForRestore(deps, taken)
    return staged
  } catch (error) {
    logFailure(logger, error, 'A backup could not be restored')
    await staged?.discard()
    const reason = lease.signal.aborted ? INTERRUPTED : toReason(error)
    await failRestore(deps, taken.token, reason)
    return undefined
  } finally {
    lease.release()
  }
}
