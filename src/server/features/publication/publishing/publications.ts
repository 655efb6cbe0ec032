import { randomUUID } from 'node:crypto'

import type { PinVersionInput, VersionInput } from '../../../../shared/schemas/publishing'
import { type Db, inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionChanges, ConnectionRow, VersionRow } from '../../../db/schema'
import { type Actor, selfOf } from '../../../domain/actor'
import { recallMarks, rememberMarks } from '../../../domain/decimal-marks'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { RELEASED } from '../../../domain/lease'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { loadConnection } from '../../catalogue/connections/connections'
import { updateConnectionRow } from '../../catalogue/connections/connections.queries'
import { cancelOpenSyncRuns } from '../../catalogue/connections/sync-runs.queries'
import { rememberGoneItems } from '../../catalogue/gone-items/gone-items'
import { findDataTime } from '../../catalogue/versions/data-time'
import {
  acceptContent,
  countPinnedVersions,
  findVersionFacts,
  findWholeVersion,
  updateVersion,
} from '../../catalogue/versions/version-history.queries'
import { releaseReaders } from '../../distribution/retailers/retailers.queries'
import { recordConnectionAudit } from '../../people/audit/audited-records'
import { afterPublication } from './after-publication'
import { openGap } from './gaps'
import {
  dropHeld,
  insertPublished,
  publishHeld,
  requireAllStored,
  type Publishing,
} from './put-version'
import { tellOfDecision } from './tell-of-publication'

/** Fewer than are kept, so that there is always room for new ones. */
export const MAX_PINNED = 10
/** How long a person waits until the gone items are found; without them, those of before stay. */
const FIND_TIMEOUT_MS = 20_000

/**
 * Publishes a stored version: the held one as it is, any other again as a new version. Its retailers
 * read it from their next request on.
 * @throws DomainError NOT_FOUND; CONFLICT when it is the published one, or another one was published
 *   meanwhile
 */
export async function publishVersion(
  deps: Deps,
  actor: Actor,
  { id, versionId }: VersionInput,
): Promise<void> {
  const { replacedId, gone } = await findGoneItems(deps, actor, { id, versionId })
  const published = await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    const version = await loadVersion(trx, connection, versionId)
    if (version.id === connection.publishedVersionId) {
      throw new DomainError('CONFLICT', 'This file is the published one')
    }
    if (connection.publishedVersionId !== replacedId) {
      throw new DomainError('CONFLICT', 'Another file was published meanwhile. Try again.')
    }
    const content = { ...version, ...gone }
    await requireAllStored(trx, deps, content)
    const now = deps.clock.now()
    const publishing = { connection, now, publishedBy: selfOf(actor).id }
    await acceptContent(trx, connection.id, version.sha256)
    const isHeld = version.id === connection.heldVersionId
    const publishedId = isHeld
      ? await publishHeld(trx, publishing, versionId, { dataAt: version.createdAt, ...gone })
      : await publishAgain(trx, publishing, content)
    await decide(trx, connection, now, {
      publishedVersionId: publishedId,
      decimalMarks: rememberMarks(connection.decimalMarks, version.numbers),
    })
    const verb = isHeld ? 'publish-file' : 'roll-back'
    await recordConnectionAudit(trx, deps, connection, { verb, after: { file: version.fileName } })
    await tellOfDecision(trx, connection, version, now)
    return publishedId
  })
  await afterPublication(deps, { connectionId: id, versionId: published })
  await wakeScheduler(deps)
}

/** Finds which items leave with the published file, and that file. */
async function findGoneItems(deps: Deps, actor: Actor, { id, versionId }: VersionInput) {
  const connection = await loadConnection(deps.db, actor, id)
  const { supplierId, publishedVersionId, columnPolicy } = connection
  const file = await loadVersion(deps.db, connection, versionId)
  const gone = await rememberGoneItems(
    deps,
    {
      supplierId,
      older: await findVersionFacts(deps.db, publishedVersionId),
      file,
      roles: columnPolicy.roles,
      token: randomUUID(),
    },
    AbortSignal.timeout(FIND_TIMEOUT_MS),
  )
  return { replacedId: publishedVersionId, gone }
}

/** The versions between it and the new one are not to come back with the next sync. */
async function publishAgain(
  trx: WriteTransaction,
  publishing: Publishing,
  version: VersionRow,
): Promise<number> {
  const { connection, now } = publishing
  const { publishedVersionId } = connection
  await dropHeld(trx, connection)
  if (publishedVersionId !== null) {
    await updateVersion(trx, publishedVersionId, { rolledBackAt: now })
    await releaseReaders(trx, publishedVersionId)
  }
  const { id, ...content } = version
  return insertPublished(trx, publishing, {
    ...content,
    numbers: content.numbers && recallMarks(content.numbers, connection.decimalMarks),
    restoredFrom: id,
    // Updates go on from here, without those that came later.
    gap: connection.updates && (version.gap ?? { at: now, cause: 'rolled-back' }),
    fromUpdate: null,
    dataAt: await findDataTime(trx, connection, version),
    holdReasons: null,
    rolledBackAt: null,
    discardedAt: null,
    isPinned: false,
    difference: null,
  })
}

/**
 * Decides that a held file is not to be published, however often the source sends it.
 * @throws DomainError NOT_FOUND; CONFLICT when it is not held
 */
export async function discardVersion(
  deps: Deps,
  actor: Actor,
  { id, versionId }: VersionInput,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    const version = await loadVersion(trx, connection, versionId)
    if (version.id !== connection.heldVersionId) {
      throw new DomainError('CONFLICT', 'This file does not wait for a decision')
    }
    const now = deps.clock.now()
    await updateVersion(trx, version.id, { status: 'discarded', discardedAt: now })
    const { publishedVersionId } = connection
    if (version.fromUpdate && publishedVersionId !== null) {
      await openGap(trx, publishedVersionId, { cause: 'discarded', now })
    }
    const after = { file: version.fileName }
    await recordConnectionAudit(trx, deps, connection, { verb: 'discard-file', after })
    await decide(trx, connection, now)
    await tellOfDecision(trx, connection, null, now)
  })
  await wakeScheduler(deps)
}

/** Keeps a version until it is unpinned, or lets it go when its time is over. */
export async function pinVersion(
  deps: Deps,
  actor: Actor,
  { id, versionId, isPinned }: PinVersionInput,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    const version = await loadVersion(trx, connection, versionId)
    if (version.isPinned === isPinned) return
    if (isPinned && (await countPinnedVersions(trx, id)) >= MAX_PINNED) {
      throw new DomainError('CONFLICT', `At most ${MAX_PINNED} files can be pinned`)
    }
    await updateVersion(trx, version.id, { isPinned })
    const verb = isPinned ? 'pin-file' : 'unpin-file'
    await recordConnectionAudit(trx, deps, connection, { verb, after: { file: version.fileName } })
  })
}

async function loadVersion(
  db: Db,
  { id: connectionId }: ConnectionRow,
  id: number,
): Promise<VersionRow> {
  const version = await findWholeVersion(db, { id, connectionId })
  if (!version) throw notFound('File')
  return version
}

/**
 * Running syncs are stopped, because they have compared with another file. The next one reads the whole
 * source, because it reports no change since the file that was decided on.
 */
async function decide(
  trx: WriteTransaction,
  connection: Owned<ConnectionRow>,
  now: number,
  changes: ConnectionChanges = {},
): Promise<void> {
  const { readFile } = connection
  await cancelOpenSyncRuns(trx, connection.id, now, 'Another decision was made meanwhile')
  await updateConnectionRow(trx, connection, {
    ...changes,
    ...RELEASED,
    heldVersionId: null,
    lastError: null,
    etag: null,
    lastModified: null,
    // A file that waits at its server is moved or deleted by the next sync, which finds that it is decided.
    ...((connection.leaseToken !== null || readFile?.state === 'held') &&
      connection.isActive && { nextSyncAt: now }),
  })
}
