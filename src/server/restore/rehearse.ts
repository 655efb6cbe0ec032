import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Config } from '../config'
import { findDatabaseProblems } from '../db/database-content'
import type { Rehearsal } from '../domain/deps'
import { codeOf } from '../process/error-code'
import { findSecretBoxes } from '../secrets/secret-box'
import { toRestorable } from '../storage/backup-place'
import { prepareInThread } from './prepare-in-thread'
import { explain, withSource } from './restore'
import { readSpareBytes, stageBackup } from './restore-staging'
import { notUsable } from './restore-trust'

const UNREADABLE = new Set(['EIO', 'EACCES', 'EPERM', 'EISDIR'])

/**
 * Restores a backup as `restoreBackup` does, up to the point where it would replace the data: into a scratch folder
 * among the drafts of backups, which is removed again. What a killed process leaves there is removed with the drafts of
 * dead runs.
 * @throws DomainError with the reason why this backup cannot be restored; the signal's reason
 */
export async function rehearseRestore(
  config: Config,
  name: string,
  { owner, now, signal, report }: Rehearsal,
): Promise<void> {
  const drafts = join(config.backupsDir, 'drafts')
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  const scratch = await mkdtemp(join(drafts, `${owner}.`))
  try {
    const area = { databasePath: join(scratch, 'app.db'), filesPath: join(scratch, 'files') }
    const trust = { boxes: await findSecretBoxes(config), isTrusted: false }
    const spareBytes = await readSpareBytes(config, scratch)
    const staging = {
      now,
      signal,
      report,
      trust,
      spareBytes,
      prepare: prepareInThread,
    }
    await withSource(config, toRestorable(config, name), (source) =>
      stageBackup(source, area, staging),
    )
    await report('Checking the restored database')
    const [problem] = await findDatabaseProblems(area.databasePath, signal)
    if (problem !== undefined) throw notUsable(`its database has faults once restored: ${problem}`)
  } catch (error) {
    signal.throwIfAborted()
    throw isUnreadable(error) ? notUsable(`it cannot be read (${codeOf(error)})`) : explain(error)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** A disk that fails, or rights that are missing. */
function isUnreadable(error: unknown): boolean {
  const { syscall } = error as NodeJS.ErrnoException
  return UNREADABLE.has(codeOf(error)) && (syscall === 'read' || syscall === 'open')
}
