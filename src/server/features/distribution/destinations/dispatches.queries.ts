import { sql } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import { inOrder, locatePage, matchesSearch, type PageRequest } from '../../../db/queries-kit/page'
import { COUNT, countRows } from '../../../db/queries-kit/results'
import type { DestinationRow, DispatchRow } from '../../../db/schema'

/** Lists what waits to be sent to the destinations of a retailer, or is being sent. */
export function listWaitingDispatches(db: Db, retailerId: number): Promise<DispatchRow[]> {
  return db
    .selectFrom('dispatches')
    .selectAll()
    .where('retailerId', '=', retailerId)
    .where('status', '=', 'waiting')
    .where('destinationId', 'is not', null)
    .orderBy('id')
    .execute()
}

/** Ends what waits for a destination and is not being sent. */
export async function giveUpWaiting(
  trx: WriteTransaction,
  { id }: Owned<DestinationRow>,
  { answer, now }: { answer: string; now: number },
): Promise<void> {
  await trx
    .updateTable('dispatches')
    .set({ status: 'skipped', nextAttemptAt: null, endedAt: now, answer })
    .where('destinationId', '=', id)
    .where('status', '=', 'waiting')
    .where(({ or, eb }) => or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', now)]))
    .execute()
}

type Of = { retailerId: number; destinationId?: number | undefined }

function selectDispatches(db: Db, { retailerId, destinationId }: Of) {
  return db
    .selectFrom('dispatches')
    .where('dispatches.retailerId', '=', retailerId)
    .$if(destinationId !== undefined, (one) =>
      one.where('dispatches.destinationId', '=', destinationId ?? 0),
    )
}

const SORTS = { createdAt: sql.ref('dispatches.createdAt') }
const SEARCHED = ['dispatches.destinationName', 'dispatches.fileName', 'dispatches.versionName']

/** One page of what was sent, the newest first unless another order is asked for. */
export async function pageDispatchRows(db: Db, of: Of, view: PageRequest) {
  const totalCount = await countRows(selectDispatches(db, of).select(COUNT))
  const matching = selectDispatches(db, of).where(matchesSearch(view.q, SEARCHED))
  const matchCount = await countRows(matching.select(COUNT))
  const { limit, offset, ...place } = locatePage(view, matchCount)
  const rows: DispatchRow[] = await matching
    .selectAll()
    .orderBy(inOrder(view.sort ?? '-createdAt', SORTS, 'dispatches.id'))
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, matchCount, totalCount, ...place }
}
