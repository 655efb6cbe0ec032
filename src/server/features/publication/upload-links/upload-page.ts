import type { UploadPage } from '../../../../shared/schemas/upload-link'
import { inLossyTransaction, type Db } from '../../../db/open'
import type { ConnectionRow, UploadLinkRow } from '../../../db/schema'
import { readClientFamily } from '../../../domain/client-family'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { hashSecretToken } from '../../../domain/secret-token'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { findUser, type UserRecord } from '../../people/accounts/users.queries'
import type { TakeFile } from '../received-files/arriving-file'
import { receiveFile } from '../received-files/receive-file'
import { toReceivedFile } from '../received-files/received-files'
import { listReceivedFileRows } from '../received-files/received-files.queries'
import { findUploadLink, markUploadLinkUsed } from './upload-links.queries'

type OpenedLink = { link: UploadLinkRow; connection: ConnectionRow; supplier: UserRecord }

/** @throws DomainError NOT_FOUND for a link that is unknown, has been replaced or revoked */
async function openUploadLink(deps: Deps, token: string): Promise<OpenedLink> {
  const link = await findUploadLink(deps.db, hashSecretToken(token), deps.clock.now())
  const connection = link && (await findConnection(deps.db, link.connectionId, {}))
  const supplier = connection && (await findUser(deps.db, connection.supplierId))
  if (!link || !connection || !supplier?.isActive) throw notFound('Upload link')
  return { link, connection, supplier }
}

/** Returns all that is seen by an upload link. */
export async function readUploadPage(deps: Deps, token: string): Promise<UploadPage> {
  const { connection, supplier } = await openUploadLink(deps, token)
  const rows = await listReceivedFileRows(deps.db, connection.id)
  return {
    connectionName: connection.name,
    supplierName: supplier.companyName ?? supplier.username,
    maxBytes: deps.config.maxFileBytes,
    isPaused: !connection.isActive,
    takesUpdates: connection.updates !== null,
    files: rows.map((row) => toReceivedFile(row, { now: deps.clock.now(), viewer: null })),
  }
}

/** Who uses a link: its address as rate limits count it, and its program. */
type LinkUser = { address: string; userAgent: string | undefined }

/**
 * Receives a file by an upload link.
 * @param take called once the link is known to be right; returns the file
 * @returns the place of what was received
 * @throws DomainError as `openUploadLink` and `receiveFile`
 */
export async function receiveByLink(
  deps: Deps,
  token: string,
  { address, userAgent }: LinkUser,
  take: TakeFile,
): Promise<{ connectionId: number; id: number }> {
  const { link, connection } = await openUploadLink(deps, token)
  const sender = { userId: null, linkEnd: link.tokenEnd }
  const requireRight = (db: Db) => openUploadLink({ ...deps, db }, token)
  const attempts = [
    { limit: 'uploadByLink', subject: link.id },
    { limit: 'uploadFromClient', subject: address },
  ] as const
  const id = await receiveFile(deps, connection, { sender, attempts, requireRight, ...take() })
  const use = { lastUsedAt: deps.clock.now(), lastClient: readClientFamily(userAgent) }
  await inLossyTransaction(deps.db, (trx) => markUploadLinkUsed(trx, link.id, use))
  return { connectionId: connection.id, id }
}
