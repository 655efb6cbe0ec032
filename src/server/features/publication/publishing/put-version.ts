import type { WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow, NewVersionRow, VersionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import type { WrittenKeys } from '../../../files/file-readers'
import { updateVersion } from '../../catalogue/versions/version-history.queries'
import { insertVersion, findNewestVersionTimes } from '../../catalogue/versions/versions.queries'
import { requestHistory } from '../../distribution/item-history/item-histories.queries'
import { requireStored } from '../../distribution/stored-files/storage-cleaning'

/** For which connection something is published, when and by whom: by nobody for a sync. */
export type Publishing = {
  connection: Owned<ConnectionRow>
  now: number
  publishedBy: number | null
}

type NewestTimes = Awaited<ReturnType<typeof findNewestVersionTimes>>

/** What is stored of a file, however it is published. */
export type VersionContent = Omit<
  NewVersionRow,
  'connectionId' | 'createdAt' | 'fileName' | 'status' | 'publishedAt' | 'publishedBy'
>

/**
 * Must be called in the transaction that names the files of a version, before it does.
 * @throws Error when one of them was deleted between storing and naming it
 */
export async function requireAllStored(
  trx: WriteTransaction,
  deps: Deps,
  { sha256, keysSha256, goneSha256 }: Pick<VersionRow, 'sha256' | 'keysSha256' | 'goneSha256'>,
): Promise<void> {
  await requireStored(
    trx,
    deps,
    [sha256, keysSha256, goneSha256].filter((hash) => hash !== null),
  )
}

export async function insertPublished(
  trx: WriteTransaction,
  { connection: { id }, now, publishedBy }: Publishing,
  content: VersionContent,
): Promise<number> {
  const newest = await findNewestVersionTimes(trx, id)
  const name = nameVersion(id, now, newest)
  const publishedAt = toPublicationTime(now, newest)
  const published = { status: 'published', publishedAt, publishedBy } as const
  await requestHistory(trx, id, now)
  return insertVersion(trx, { ...content, connectionId: id, ...name, ...published })
}

export async function insertHeld(
  trx: WriteTransaction,
  { connection: { id }, now }: Publishing,
  content: VersionContent,
): Promise<number> {
  const name = nameVersion(id, now, await findNewestVersionTimes(trx, id))
  return insertVersion(trx, { ...content, connectionId: id, ...name, status: 'held' })
}

/** A file that was held and is published is the same version. */
export async function publishHeld(
  trx: WriteTransaction,
  { connection, now, publishedBy }: Publishing,
  id: number,
  changes: Partial<VersionContent>,
): Promise<number> {
  const publishedAt = toPublicationTime(now, await findNewestVersionTimes(trx, connection.id))
  const published = { status: 'published', publishedAt, publishedBy } as const
  await requestHistory(trx, connection.id, now)
  await updateVersion(trx, id, { ...changes, ...published })
  return id
}

/** A held file that another one has taken the place of waits for no decision. */
export async function dropHeld(
  trx: WriteTransaction,
  { heldVersionId }: Owned<ConnectionRow>,
): Promise<void> {
  if (heldVersionId !== null) await updateVersion(trx, heldVersionId, { status: 'discarded' })
}

/**
 * Names a new version of a connection: `connection_{id}_{UTC timestamp}.csv`. Names are unique, because
 * versions of a connection never share a millisecond.
 */
function nameVersion(connectionId: number, now: number, newest: NewestTimes) {
  const createdAt = Math.max(now, newest.createdAt + 1)
  const timestamp = new Date(createdAt).toISOString().replaceAll(/[:.]/g, '-')
  return { createdAt, fileName: `connection_${connectionId}_${timestamp}.csv` }
}

/** Later than all that the connection has published before, also when the clock was set back: that is their order. */
const toPublicationTime = (now: number, newest: NewestTimes): number =>
  Math.max(now, newest.publishedAt + 1)

/** The columns of a version that describe its key file; all null without one. */
export function toKeyColumns(keys: WrittenKeys | null) {
  return {
    keysSha256: keys?.content.sha256 ?? null,
    keysBytes: keys?.content.sizeBytes ?? null,
    keyColumn: keys?.column ?? null,
    keyQuantityColumn: keys?.quantityColumn ?? null,
    keyCount: keys?.keyCount ?? null,
    repeatedRows: keys?.repeatedRows ?? null,
    keylessRows: keys?.keylessRows ?? null,
  }
}
