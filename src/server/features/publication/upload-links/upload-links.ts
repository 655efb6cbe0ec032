import { UPLOAD_LINK_OVERLAP_HOURS } from '../../../../shared/constants'
import { HOUR_MS } from '../../../../shared/durations'
import type { NewUploadLink, UploadLink } from '../../../../shared/schemas/upload-link'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import {
  createSecretToken,
  endOfToken,
  hashSecretToken,
  toSecretLink,
} from '../../../domain/secret-token'
import { loadConnection } from '../../catalogue/connections/connections'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import type { UserRecord } from '../../people/accounts/users.queries'
import { recordConnectionAudit } from '../../people/audit/audited-records'
import { deleteUploadLinks, insertUploadLink, listUploadLinkRows } from './upload-links.queries'

const OVERLAP_MS = UPLOAD_LINK_OVERLAP_HOURS * HOUR_MS

/** Lists the links by which files can be sent to a connection, newest first. */
export async function listUploadLinks(
  deps: Deps,
  actor: Actor,
  connectionId: number,
): Promise<UploadLink[]> {
  const { id } = await loadConnection(deps.db, actor, connectionId)
  const rows = await listUploadLinkRows(deps.db, id, deps.clock.now())
  return rows.map(toSecretLink)
}

/**
 * Creates a link by which files can be sent to a connection, which replaces the newest one within a day.
 * The returned path is stored nowhere and cannot be read again.
 * @throws DomainError NOT_FOUND; THROTTLED
 */
export async function createUploadLink(
  deps: Deps,
  actor: Actor,
  connectionId: number,
): Promise<NewUploadLink> {
  await loadConnection(deps.db, actor, connectionId)
  await countAttempts(deps, [{ limit: 'createUploadLink', subject: actor.id }])
  const token = createSecretToken()
  await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, connectionId)
    const createdAt = deps.clock.now()
    const stored = { tokenHash: hashSecretToken(token), tokenEnd: endOfToken(token), createdAt }
    await insertUploadLink(trx, connection, stored, createdAt + OVERLAP_MS)
    await recordConnectionAudit(trx, deps, connection, { verb: 'create-upload-link' })
  })
  return { path: `/upload/${token}` }
}

/** Ends all links of a connection at once. */
export function revokeUploadLinks(deps: Deps, actor: Actor, connectionId: number): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, connectionId)
    await deleteUploadLinks(trx, connection)
    await recordConnectionAudit(trx, deps, connection, { verb: 'revoke-upload-links' })
  })
}

/** Ends the links of a supplier, who has a new password and may not know who has them. */
export async function endUploadLinksOf(
  trx: WriteTransaction,
  deps: Deps,
  user: UserRecord,
): Promise<void> {
  const connection =
    user.role === 'SUPPLIER' ? await findSupplierConnection(trx, user.id) : undefined
  if (!connection || (await deleteUploadLinks(trx, connection)) === 0) return
  await recordConnectionAudit(trx, deps, connection, { verb: 'revoke-upload-links' })
}
