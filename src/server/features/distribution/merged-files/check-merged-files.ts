import { inLossyTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { queueMergedFiles } from './make-merged-files'
import { checkMergedFilesOf, hasMergedFilesOf } from './merged-files.queries'

/** Has the merged files looked at that have a part of a connection. */
export async function checkMergedFiles(deps: Deps, connectionId: number): Promise<void> {
  const connection = await findConnection(deps.db, connectionId, {})
  if (!connection || !(await hasMergedFilesOf(deps.db, connection.supplierId))) return
  const now = deps.clock.now()
  await inLossyTransaction(deps.db, (trx) => checkMergedFilesOf(trx, connection, now))
  await queueMergedFiles(deps)
}
