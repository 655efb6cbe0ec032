import { inLossyTransaction, inTransaction, type Db } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { markSftpLoginUsed } from '../../distribution/sftp-logins/sftp-logins.queries'
import type { TakeFile } from '../received-files/arriving-file'
import { receiveFile } from '../received-files/receive-file'
import { toReceivedFile } from '../received-files/received-files'
import {
  insertReceivedFile,
  listReceivedFileRows,
  updateReceivedFile,
} from '../received-files/received-files.queries'
import { requirePlace, type SftpGuest } from './sftp-guests'
import { toVerdict } from './verdicts'

/** A file of a folder; its text is what can be read in it. */
export type FolderEntry = {
  name: string
  sizeBytes: number
  changedAt: number
  text: string | null
}

async function requireConnection(db: Db, guest: SftpGuest) {
  const place = await requirePlace(db, guest)
  if (place.kind !== 'connection') throw notFound('Connection')
  return place.connection
}

/**
 * Receives a file that is put into a drop box.
 * @throws DomainError UNAUTHENTICATED for a login that does not work any more; THROTTLED; as `receiveFile`
 */
export async function receiveBySftp(
  deps: Deps,
  guest: SftpGuest,
  client: string,
  take: TakeFile,
): Promise<void> {
  const connection = await requireConnection(deps.db, guest)
  const sender = { userId: null, linkEnd: null, way: 'sftp', name: guest.username } as const
  const requireRight = (db: Db) => requireConnection(db, guest)
  const attempts = [{ limit: 'uploadBySftp', subject: guest.loginId }] as const
  await receiveFile(deps, connection, { sender, attempts, requireRight, ...take() })
  await noteUse(deps, guest, client)
}

/** Records when a login was last used, and by which program. */
export function noteUse(deps: Deps, { loginId }: SftpGuest, lastClient: string): Promise<void> {
  const use = { lastUsedAt: deps.clock.now(), lastClient }
  return inLossyTransaction(deps.db, (trx) => markSftpLoginUsed(trx, loginId, use))
}

/** The last files that came, by whichever way, newest first, and what became of each. */
export async function listDropBox(deps: Deps, guest: SftpGuest): Promise<FolderEntry[]> {
  const connection = await requireConnection(deps.db, guest)
  const rows = await listReceivedFileRows(deps.db, connection.id)
  const seen = new Set<string>()
  const now = deps.clock.now()
  return rows.flatMap((row) => {
    if (seen.has(row.fileName)) return []
    seen.add(row.fileName)
    const file = toReceivedFile(row, { now, viewer: null })
    const { name, text } = toVerdict(file)
    const { fileName, sizeBytes, receivedAt } = row
    return [
      { name: fileName, sizeBytes, changedAt: receivedAt, text: null },
      {
        name,
        sizeBytes: Buffer.byteLength(text),
        changedAt: row.endedAt ?? receivedAt,
        text,
      },
    ]
  })
}

/** Tells beside the drop box that a file is not used which has come, because many programs do not show an error at its end. */
export async function recordRefused(
  deps: Deps,
  guest: SftpGuest,
  { fileName, sizeBytes, message }: { fileName: string; sizeBytes: number; message: string },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const place = await requirePlace(trx, guest)
    if (place.kind !== 'connection') return
    const now = deps.clock.now()
    const id = await insertReceivedFile(trx, place.connection, {
      fileName,
      sizeBytes,
      receivedAt: now,
      way: 'sftp',
      sender: guest.username,
    })
    await updateReceivedFile(trx, id, { state: 'refused', message, endedAt: now })
  }).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
  })
}

export const NEVER_RENAMED =
  'The file was not renamed, neither within ten minutes nor before the connection ended. Under a name that ends in .part, .filepart or .tmp, a file counts as incomplete.'
