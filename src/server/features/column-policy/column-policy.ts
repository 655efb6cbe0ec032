import { isDeepStrictEqual } from 'node:util'

import type {
  ColumnPolicyInput,
  ColumnSettings,
  FoundStockTexts,
  StockTextsInput,
} from '../../../shared/schemas/column-policy'
import { inTransaction } from '../../db/open'
import type { Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { detectRoles } from '../../feed/profile/column-roles'
import { recordConnectionChange } from '../audit/record-connection-audit'
import { loadConnection } from '../connections/connections'
import { updateConnection } from '../connections/connections.queries'
import { queueWaitingVariants, requestForPolicy } from '../variants/variant-requests'
import { readHead } from '../versions/connection-files'
import { readStoredFile } from '../versions/read-stored-file'
import { findPublishedVersion } from '../versions/versions.queries'

/** How much of a file is searched for texts in its quantity column. */
const READ_BYTES = 128 * 1024 * 1024

/** Returns the columns of a connection's published file, and what the supplier has decided of them. */
export async function readColumnPolicy(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<ColumnSettings> {
  const connection = await loadConnection(deps.db, actor, id)
  const { columnPolicy: policy } = connection
  const version = await findPublishedVersion(deps.db, connection)
  const { columns, columnCount, rows } = version
    ? await readHead(deps, version.id)
    : { columns: [], columnCount: 0, rows: [] }
  return {
    policy,
    columnCount,
    columns: columns.map((name, place) => {
      const sample = rows.map((row) => row[place] ?? '').find((cell) => cell !== '')
      return { name, sample: sample ?? '' }
    }),
    found: detectRoles(columns, version?.quantityColumn ?? null),
  }
}

/** Changes what retailers see of a connection's columns, from their next read on. */
export async function saveColumnPolicy(
  deps: Deps,
  actor: Actor,
  { id, policy }: ColumnPolicyInput,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    if (isDeepStrictEqual(policy, connection.columnPolicy)) return
    const changed = await updateConnection(trx, connection, { columnPolicy: policy })
    await recordConnectionChange(trx, deps, {
      verb: 'update-columns',
      before: connection,
      after: changed,
    })
    await requestForPolicy(trx, { before: connection, after: changed }, deps.clock.now())
  })
  await queueWaitingVariants(deps)
}

/** Counts the texts of a column of the published file that are no numbers, for a quantity each. */
export async function findStockTexts(
  deps: Deps,
  actor: Actor,
  { id, column, signal }: StockTextsInput & { signal?: AbortSignal | undefined },
): Promise<FoundStockTexts> {
  const version = await findPublishedVersion(deps.db, await loadConnection(deps.db, actor, id))
  if (!version) return { texts: [], isWhole: true }
  const { sha256 } = version
  return readStoredFile(deps, actor, { sha256, signal }, (file, stopped) =>
    deps.feeds.run('stockTexts', { file, column, maxBytes: READ_BYTES }, { signal: stopped }),
  )
}
