import type { Db } from '../../../db/open'
import { FileError } from '../../../files/file-error'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { findDataTime } from '../../catalogue/versions/data-time'
import { findVersion } from '../../catalogue/versions/versions.queries'
import type { RetailerRecord } from '../retailers/retailers.queries'

/** From when the data of a file are. @throws FileError when its version is gone: a newer file follows */
export async function findMailedVersion(
  db: Db,
  { supplierId }: RetailerRecord,
  versionId: number | null,
): Promise<{ id: number; dataAsOf: number }> {
  const version = versionId === null ? undefined : await findVersion(db, versionId)
  const connection = version && (await findSupplierConnection(db, supplierId))
  if (!connection) throw new FileError('no-file', 'The file is not kept any more.')
  return { id: version.id, dataAsOf: await findDataTime(db, connection, version) }
}
