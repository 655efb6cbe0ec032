import { isDeepStrictEqual } from 'node:util'

import { hasPathNames } from '../../../../shared/file-source'
import type { ColumnNumbers, DecimalMark } from '../../../../shared/schemas/column-numbers'
import type {
  ColumnPolicy,
  ColumnPolicyInput,
  ColumnSettings,
  FoundStockTexts,
  StockTextsInput,
} from '../../../../shared/schemas/column-policy'
import { inTransaction } from '../../../db/open'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { readQuantity } from '../../../files/read/quantities/quantity'
import { detectRoles } from '../../../files/shop-formats/column-roles'
import { loadConnection } from '../../catalogue/connections/connections'
import { changeConnectionRow } from '../../catalogue/connections/connections.queries'
import { readHead } from '../../catalogue/versions/connection-files'
import { readStoredFile } from '../../catalogue/versions/read-stored-file'
import { findPublishedVersion } from '../../catalogue/versions/versions.queries'
import { recordConnectionChange } from '../../people/audit/audited-records'
import { deleteFileLinksOfSupplier } from '../destinations/file-links.queries'
import { followFiles } from '../retailers/follow-files'
import { queueWaitingVariants, requestForPolicy } from '../variants/variant-requests'

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
    numbers: (version?.numbers ?? []).map(toNumbers),
    found: detectRoles(
      columns,
      version?.quantityColumn ?? null,
      version !== undefined && hasPathNames(version.dialect),
    ),
  }
}

/** With both readings of the number that depends on the decimal mark. */
function toNumbers({ column, style, example: text }: ColumnNumbers): FoundNumbers {
  if (text === null) return { column, style, example: null }
  const read = (mark: DecimalMark) => readQuantity(text, mark) ?? 0
  return { column, style, example: { text, comma: read('comma'), point: read('point') } }
}

type FoundNumbers = ColumnSettings['numbers'][number]

/** Changes what retailers see of a connection's columns, from their next read on. */
export async function saveColumnPolicy(
  deps: Deps,
  actor: Actor,
  { id, policy }: ColumnPolicyInput,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    if (isDeepStrictEqual(policy, connection.columnPolicy)) return
    const changed = await changeConnectionRow(trx, connection, {
      columnPolicy: policy,
      ...toNextReading(connection, policy, deps.clock.now()),
    })
    await recordConnectionChange(trx, deps, {
      verb: 'update-columns',
      before: connection,
      after: changed,
    })
    await requestForPolicy(trx, { before: connection, after: changed }, deps.clock.now())
    await followFiles(trx, { supplierId: changed.supplierId }, deps.clock.now())
    const before = new Set(connection.columnPolicy.hidden)
    // They lead to what retailers saw before.
    if (policy.hidden.some((name) => !before.has(name))) {
      await deleteFileLinksOfSupplier(trx, changed.supplierId)
    }
  })
  await queueWaitingVariants(deps)
  await wakeScheduler(deps)
}

/** The source is read again at once if its quantities are to be read differently: what is told of them changes. */
function toNextReading(
  { columnPolicy, isActive }: ConnectionRow,
  { decimalMark, roles }: ColumnPolicy,
  now: number,
): ConnectionChanges {
  const isSame =
    decimalMark === columnPolicy.decimalMark && roles.quantity === columnPolicy.roles.quantity
  if (isSame) return {}
  return { etag: null, lastModified: null, ...(isActive && { nextSyncAt: now }) }
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
    deps.readers.run('stockTexts', { file, column, maxBytes: READ_BYTES }, { signal: stopped }),
  )
}
