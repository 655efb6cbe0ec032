import { isDeepStrictEqual } from 'node:util'

import { describeHold } from '../../../../shared/hold-reasons'
import type { Guard, GuardInput, GuardTrial } from '../../../../shared/schemas/publishing'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { isSample } from '../../../domain/sample-file'
import { hasAddress } from '../../../domain/source-host'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { loadConnection } from '../../catalogue/connections/connections'
import { changeConnectionRow } from '../../catalogue/connections/connections.queries'
import {
  findWholeVersion,
  listPublishedFacts,
} from '../../catalogue/versions/version-history.queries'
import { MAX_VERSIONS } from '../../distribution/stored-files/storage-quota'
import { recordConnectionChange } from '../../people/audit/audited-records'
import { findHoldReasons } from './hold-reasons'

/** Returns what holds a file of a connection back. */
export async function readGuard(deps: Deps, actor: Actor, id: number): Promise<Guard> {
  return (await loadConnection(deps.db, actor, id)).guard
}

/** Changes what holds a file back. One that is held is fetched and compared again, at once, where there is an address. */
export async function saveGuard(
  deps: Deps,
  actor: Actor,
  { id, guard }: GuardInput,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    if (isDeepStrictEqual(guard, connection.guard)) return
    const mustCompareAgain =
      connection.heldVersionId !== null && connection.isActive && hasAddress(connection)
    const changed = await changeConnectionRow(trx, connection, {
      guard,
      ...(mustCompareAgain && {
        etag: null,
        lastModified: null,
        nextSyncAt: deps.clock.now(),
        ...(await toMergedAgain(trx, connection)),
      }),
    })
    const states = { before: connection, after: changed }
    await recordConnectionChange(trx, deps, { verb: 'update-guard', ...states })
  })
  await wakeScheduler(deps)
}

/**
 * An update that is held is merged again, onto what is held, and changes nothing there. That of the address does
 * so only if none was sent after it.
 */
async function toMergedAgain(
  trx: WriteTransaction,
  { id: connectionId, updates, heldVersionId: id }: ConnectionRow,
): Promise<ConnectionChanges> {
  if (!updates || id === null) return {}
  const held = await findWholeVersion(trx, { id, connectionId })
  return held?.received === null ? { outdatedSha256: null } : {}
}

/** Tells which of the last published files a guard would have held. */
export async function tryGuard(
  deps: Deps,
  actor: Actor,
  { id, guard }: GuardInput,
): Promise<GuardTrial> {
  const connection = await loadConnection(deps.db, actor, id)
  const versions = await listPublishedFacts(deps.db, connection.id, MAX_VERSIONS)
  const { roles } = connection.columnPolicy
  const held = versions.flatMap((after, index) => {
    const before = versions[index + 1]
    const isCompared = before && !isSample(before)
    const reasons = isCompared
      ? findHoldReasons(guard, { before, after }, { roles, difference: after.difference })
      : []
    if (reasons.length === 0) return []
    const publishedAt = new Date(after.publishedAt ?? after.createdAt).toISOString()
    return [{ publishedAt, reasons: reasons.map(describeHold) }]
  })
  return { compared: Math.max(0, versions.length - 1), held }
}
