import { hasPathNames } from '../../../../shared/file-source'
import type { ConnectionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import type { ColumnNaming } from '../../../files/comparison/compared-columns'
import { loadConnection } from '../connections/connections'
import { findVersion, type VersionRecord } from '../versions/versions.queries'

/**
 * Finds two stored versions of a connection that the caller may see.
 * @throws DomainError NOT_FOUND
 */
export async function findTwoVersions(
  { db }: Deps,
  actor: Actor,
  { id, olderId, newerId }: { id: number; olderId: number; newerId: number },
) {
  const connection = await loadConnection(db, actor, id)
  const load = async (versionId: number) => {
    const version = await findVersion(db, versionId)
    if (version?.connectionId !== connection.id) throw notFound('File')
    return version
  }
  return { connection, files: { older: await load(olderId), newer: await load(newerId) } }
}

/** By what the columns of a version are found. */
export const toNaming = (
  { columnPolicy }: Pick<ConnectionRow, 'columnPolicy'>,
  { quantityColumn, dialect }: VersionRecord,
): ColumnNaming => ({
  roles: columnPolicy.roles,
  quantityColumn,
  arePaths: hasPathNames(dialect),
})
