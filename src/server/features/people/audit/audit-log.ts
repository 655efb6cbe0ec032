import type {
  AuditEntry,
  AuditFilter,
  AuditPage,
  AuditPageInput,
} from '../../../../shared/schemas/audit'
import type { AuditEntryRow } from '../../../db/schema'
import { selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { toInstant } from '../../../domain/instant'
import { listAuditEntries, type AuditPlace, type AuditScope } from './audit-entries.queries'

const PAGE_SIZE = 50
const EXPORTED_AT_ONCE = 200

/**
 * Returns a page of the log, newest first. An administrator sees all of it; a supplier what was done to
 * its account, its connection and its retailers, without the names and addresses of administrators.
 */
export async function pageAuditEntries(
  deps: Deps,
  actor: Actor,
  { cursor, ...filter }: AuditPageInput,
): Promise<AuditPage> {
  const before = cursor === undefined ? undefined : toPlace(cursor)
  const rows = await listAuditEntries(deps.db, toScope(actor, filter), {
    before,
    limit: PAGE_SIZE + 1,
  })
  const shown = rows.slice(0, PAGE_SIZE)
  const last = shown.at(-1)
  return {
    rows: shown.map((row) => toAuditEntry(row, actor)),
    next: last && rows.length > PAGE_SIZE ? `${last.at}-${last.id}` : null,
  }
}

/** Yields all entries of the same that match, newest first, in pages. */
export async function* eachAuditEntry(
  deps: Deps,
  actor: Actor,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry[]> {
  const scope = toScope(actor, filter)
  let before: AuditPlace | undefined
  do {
    const page = { before, limit: EXPORTED_AT_ONCE }
    const rows = await listAuditEntries(deps.db, scope, page)
    if (rows.length > 0) yield rows.map((row) => toAuditEntry(row, actor))
    before = rows.length < EXPORTED_AT_ONCE ? undefined : rows.at(-1)
  } while (before)
}

function toPlace(text: string): AuditPlace {
  const [at = '', id = ''] = text.split('-')
  return { at: Number(at), id: Number(id) }
}

/** A supplier cannot find out who the administrators are by looking for a name. */
function toScope(actor: Actor, filter: AuditFilter): AuditFilter & AuditScope {
  if (actor.role === 'SUPER_ADMIN') return filter
  const isWithoutAdministrators = filter.who !== undefined
  return { ...filter, supplierId: actor.id, isWithoutAdministrators }
}

/** An entry as this reader may see it. */
export function toAuditEntry(row: AuditEntryRow, reader: Actor): AuditEntry {
  const isWhole = reader.role === 'SUPER_ADMIN'
  const isNameless = !isWhole && row.actorRole === 'SUPER_ADMIN'
  const { actorId, subjectId } = row
  // Its own addresses, and those from which somebody tried to sign in as the supplier.
  const { id } = selfOf(reader)
  const isOwn = actorId === id || (actorId === null && subjectId === id)
  return {
    id: row.id,
    at: toInstant(row.at),
    action: row.action,
    actorName: isNameless ? 'An administrator' : row.actorName,
    actorRole: row.actorRole,
    keyName: isNameless ? null : row.keyName,
    subjectId,
    subjectName: row.subjectName,
    supplierId: row.supplierId,
    changes: row.changes ?? [],
    origin: row.origin,
    address: isWhole || isOwn ? row.address : null,
    count: row.count,
    firstAt: toInstant(row.firstAt ?? row.at),
  }
}
