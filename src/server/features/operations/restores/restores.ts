import { randomUUID } from 'node:crypto'

import { SECOND_MS } from '../../../../shared/durations'
import type { RestorePreview, RestoreState } from '../../../../shared/schemas/restore'
import { inTransaction } from '../../../db/open'
import type { RestoreRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { isLeased } from '../../../domain/lease'
import { recordAudit } from '../../people/audit/record-audit'
import { readDrills } from '../backups/backup-drills'
import { NOT_TRIED } from '../backups/backups'
import { findBackupFile } from '../backups/stored-backups'
import { describeVersions, isMixed, listRunning } from '../system/processes'
import { countMadeSince, findRestoreRow, putRestore } from './restores.queries'

/** Processes that can restore look for it every second. */
export const TAKEN_WITHIN_MS = 30 * SECOND_MS

const NOT_TAKEN =
  'No process of the product has begun it: npm start does, where it finds the backup'
export const INTERRUPTED = 'It was interrupted. Nothing was changed.'

/**
 * Asks for a backup to replace all data. A process of `npm start` does so within seconds: it checks and unpacks the backup,
 * and then stops all others.
 * @throws DomainError NOT_FOUND without such a backup; INVALID for another name; CONFLICT while one is restored, or while
 *   processes of several versions run
 */
export async function requestRestore(
  deps: Deps,
  actor: Actor,
  { fileName, typedName }: { fileName: string; typedName: string },
): Promise<void> {
  await countAttempts(deps, [{ limit: 'restoreBackup', subject: selfOf(actor).id }])
  const { name } = await findBackupFile(deps, fileName)
  if (typedName !== name) {
    throw new DomainError('INVALID', `Type ${name}`, { field: 'typedName' })
  }
  await requireOneVersion(deps)
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const last = await findRestoreRow(trx)
    if (last && isOngoing(last, now)) {
      throw new DomainError('CONFLICT', `${last.backup} is being restored`)
    }
    await putRestore(trx, {
      token: randomUUID(),
      backup: name,
      requestedById: selfOf(actor).id,
      requestedAt: now,
      step: 'asked',
    })
    await recordAudit(trx, deps, { action: 'backup.ask-restore', subject: { name } })
  })
}

/** @throws DomainError CONFLICT while processes of several versions run: others would not stop when they are to */
export async function requireOneVersion(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const problem = await findMixedVersions(deps)
  if (problem !== null) throw new DomainError('CONFLICT', problem)
}

async function findMixedVersions(deps: Pick<Deps, 'db' | 'clock'>): Promise<string | null> {
  const running = await listRunning(deps)
  return isMixed(running)
    ? `Processes of several versions run: ${describeVersions(running)}. Update or stop the others first.`
    : null
}

/** What the restore of a backup would do. @throws DomainError NOT_FOUND without such a backup */
export async function readRestorePreview(deps: Deps, fileName: string): Promise<RestorePreview> {
  const { name, manifest, archiveBytes } = await findBackupFile(deps, fileName)
  const { createdAt, productVersion } = manifest
  return {
    filename: fileName,
    name,
    createdAt,
    size: archiveBytes,
    productVersion,
    drill: (await readDrills(deps)).get(name) ?? NOT_TRIED,
    lost: await countMadeSince(deps.db, Date.parse(createdAt)),
    problem: await findMixedVersions(deps),
  }
}

/** The restore that was asked for last, and how far it is; null when there was none. */
export async function readRestoreState(deps: Deps): Promise<RestoreState | null> {
  const row = await findRestoreRow(deps.db)
  if (!row) return null
  const { backup, step, detail, requestedAt, endedAt, reason } = row
  const isDead = !isOngoing(row, deps.clock.now()) && endedAt === null
  return {
    backup,
    step: isDead ? 'failed' : step,
    detail: isDead ? null : detail,
    requestedAt: toInstant(requestedAt),
    endedAt: toInstantOrNull(endedAt),
    reason: isDead ? (step === 'asked' ? NOT_TAKEN : INTERRUPTED) : reason,
  }
}

/** Whether a restore is asked for, or under way. */
function isOngoing(row: RestoreRow, now: number): boolean {
  if (row.step === 'asked') return now - row.requestedAt < TAKEN_WITHIN_MS
  return row.step === 'stopping' || (row.step === 'staging' && isLeased(row, now))
}
