import type { Role } from '../../../../shared/constants'
import type { ReceivedFile, ReceivedFileInput } from '../../../../shared/schemas/received-file'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { isLeased } from '../../../domain/lease'
import { loadConnection } from '../../catalogue/connections/connections'
import {
  findReceivedFileRow,
  listReceivedFileRows,
  type FoundReceivedFile,
} from './received-files.queries'

/** Lists the last files that were sent to a connection, newest first. */
export async function listReceivedFiles(
  deps: Deps,
  actor: Actor,
  connectionId: number,
): Promise<ReceivedFile[]> {
  const { id } = await loadConnection(deps.db, actor, connectionId)
  const rows = await listReceivedFileRows(deps.db, id)
  return rows.map((row) => toReceivedFile(row, { now: deps.clock.now(), viewer: actor.role }))
}

/** @throws DomainError NOT_FOUND for another supplier’s, and for one that is not remembered any more */
export async function getReceivedFile(
  deps: Deps,
  actor: Actor,
  { id: connectionId, fileId: id }: ReceivedFileInput,
): Promise<ReceivedFile> {
  const connection = await loadConnection(deps.db, actor, connectionId)
  const row = await findReceivedFileRow(deps.db, { connectionId: connection.id, id })
  if (!row) throw notFound('File')
  return toReceivedFile(row, { now: deps.clock.now(), viewer: actor.role })
}

/** @param viewer who sees it; null for whoever has an upload link */
export function toReceivedFile(
  row: FoundReceivedFile,
  { now, viewer }: { now: number; viewer: Role | null },
): ReceivedFile {
  return {
    id: row.id,
    fileName: row.fileName,
    sizeBytes: row.sizeBytes,
    receivedAt: toInstant(row.receivedAt),
    receivedBy: nameForViewer(row, viewer),
    linkEnd: row.linkEnd,
    way: row.way,
    sender: viewer === null ? null : row.sender,
    ...toState(row, { now, viewer }),
    rows: row.rowCount,
    endedAt: toInstantOrNull(row.endedAt),
  }
}

/** A supplier does not know the administrators by name. */
export function nameForViewer(
  { username, role }: Pick<FoundReceivedFile, 'username' | 'role'>,
  viewer: Role | null,
): string | null {
  if (viewer === null) return null
  return role === 'SUPER_ADMIN' && viewer !== role ? 'an administrator' : username
}

/** Whoever has an upload link is not told what is published. */
const HELD = 'It differs much from the last good file. The supplier decides whether it is used.'

/** What was held may have been decided on since. */
function toState(
  row: FoundReceivedFile,
  { now, viewer }: { now: number; viewer: Role | null },
): Pick<ReceivedFile, 'state' | 'message'> {
  const { state, message, status, discardedAt } = row
  if (state === 'waiting' && isBeingRead(row, now)) return { state: 'reading', message: null }
  if (state !== 'held') return { state, message }
  if (status === 'held' || status === null) {
    return { state, message: viewer === null ? HELD : message }
  }
  if (status === 'published') return { state: 'published', message: null }
  return discardedAt === null
    ? { state: 'skipped', message: 'A newer file took its place while it was held.' }
    : { state: 'refused', message: 'The file was held, and then discarded.' }
}

const isBeingRead = ({ leaseToken, runToken, leaseUntil }: FoundReceivedFile, now: number) =>
  leaseToken !== null && leaseToken === runToken && isLeased({ leaseUntil }, now)
