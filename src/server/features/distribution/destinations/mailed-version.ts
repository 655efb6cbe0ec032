import type { Db } from '../../../db/open'
import type { DispatchRow } from '../../../db/schema'
import type { MergedFrom } from '../../../db/stored-json'
import { FileError } from '../../../files/file-error'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { findDataTime } from '../../catalogue/versions/data-time'
import { findVersion } from '../../catalogue/versions/versions.queries'
import { findSentVersion } from '../merged-files/merged-to-send'
import type { SentFile } from './sent-file'

/** A version that is mailed, from when its data are, and what a merged one was made of. */
export type MailedVersion = { id: number; dataAsOf: number; mergedFrom: MergedFrom | null }

/** @throws FileError when the version is gone: a newer file follows */
export async function findMailedVersion(
  db: Db,
  { retailer, merged }: SentFile,
  { versionId, mergedVersionId }: Pick<DispatchRow, 'versionId' | 'mergedVersionId'>,
): Promise<MailedVersion> {
  const found =
    retailer && versionId !== null
      ? await findOfSupplier(db, retailer.supplierId, versionId)
      : merged && mergedVersionId !== null && (await findSentVersion(db, merged, mergedVersionId))
  if (!found) throw new FileError('no-file', 'The file is not kept any more.')
  return found
}

async function findOfSupplier(
  db: Db,
  supplierId: number,
  versionId: number,
): Promise<MailedVersion | undefined> {
  const version = await findVersion(db, versionId)
  const connection = version && (await findSupplierConnection(db, supplierId))
  if (!connection) return undefined
  const dataAsOf = await findDataTime(db, connection, version)
  return { id: version.id, dataAsOf, mergedFrom: null }
}
