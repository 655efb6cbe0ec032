import { sql } from 'kysely'

import type { DispatchStatus } from '../../../../shared/destinations'
import type { Db, WriteTransaction } from '../../../db/open'
import { selectUnlocked } from '../../../db/queries-kit/claims'
import { isLeasedBy } from '../../../db/queries-kit/expressions'
import type { Owned } from '../../../db/queries-kit/owned'
import { inOrder, locatePage, matchesSearch, type PageRequest } from '../../../db/queries-kit/page'
import { prepare } from '../../../db/queries-kit/prepare'
import { COUNT, countDeleted, countRows } from '../../../db/queries-kit/results'
import type {
  DestinationRow,
  DispatchChanges,
  DispatchRow,
  NewDispatchRow,
} from '../../../db/schema'
import { COMPANY_OF_FILE, isOfFile, type SentFileIds } from './sent-file.queries'

/** Lists what waits to be sent to the destinations of a file, or is being sent. */
export function listWaitingDispatches(db: Db, file: SentFileIds): Promise<DispatchRow[]> {
  return db
    .selectFrom('dispatches')
    .selectAll()
    .where(isOfFile(file))
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

/** How many rows each destination of a file has got last. */
export async function readSentRows(db: Db, file: SentFileIds): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('dispatches')
    .select(['destinationId', 'rowCount'])
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('dispatches')
        .select(({ fn }) => fn.max('id').as('id'))
        .where(isOfFile(file))
        .where('status', '=', 'sent')
        .where('destinationId', 'is not', null)
        .groupBy('destinationId'),
    )
    .execute()
  return new Map(rows.map(({ destinationId, rowCount }) => [destinationId ?? 0, rowCount]))
}

/** Whether anything of a file was, or is to be sent. */
export async function hasDispatches(db: Db, file: SentFileIds): Promise<boolean> {
  const one = selectDispatches(db, { file }).select('dispatches.id').limit(1)
  return (await one.executeTakeFirst()) !== undefined
}

type Of = {
  file: SentFileIds
  destinationId?: number | undefined
  status?: DispatchStatus | undefined
}

function selectDispatches(db: Db, { file, destinationId, status }: Of) {
  return db
    .selectFrom('dispatches')
    .where(isOfFile(file))
    .$if(destinationId !== undefined, (one) =>
      one.where('dispatches.destinationId', '=', destinationId ?? 0),
    )
    .$if(status !== undefined, (one) => one.where('dispatches.status', '=', status ?? 'sent'))
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

/** The kinds of files on their way, which do not hold each other up: those to where the last one took long go apart. */
export const LANES = ['quick', 'slow'] as const
export type Lane = (typeof LANES)[number]

/**
 * Below how many files of a retailer, or merged ones of a company, on their way at once another one may begin: two at most,
 * one of them slow. Those that the company gets of another supplier do not count.
 */
const MOST_OF_RETAILER: Record<Lane, number> = { quick: 2, slow: 1 }

/** And of all retailers of a supplier, or all merged ones, in a lane: fewer than a process sends at once, so that there is room for others. */
const MOST_OF_SUPPLIER = 6

type Turn = { now: number; afterUserId: number }

/** What is due of destinations that are in use, with the company that gets it. */
function selectDue(db: Db, lane: Lane, now: number) {
  return db
    .selectFrom('dispatches')
    .innerJoin('destinations', 'destinations.id', 'dispatches.destinationId')
    .leftJoin('retailers', 'retailers.id', 'dispatches.retailerId')
    .leftJoin('mergedFiles', 'mergedFiles.id', 'dispatches.mergedFileId')
    .innerJoin('users', (join) => join.on('users.id', '=', COMPANY_OF_FILE))
    .where('dispatches.status', '=', 'waiting')
    .where('dispatches.nextAttemptAt', '<=', now)
    .where(({ or, eb }) =>
      or([eb('dispatches.leaseUntil', 'is', null), eb('dispatches.leaseUntil', '<=', now)]),
    )
    .where('destinations.isActive', '=', true)
    .where('destinations.pausedAt', 'is', null)
    .where('destinations.isSlow', '=', lane === 'slow')
    .where('users.isActive', '=', true)
    .where(({ not, exists, selectFrom, eb, fn }) => {
      const running = selectFrom('dispatches as running')
        .where('running.leaseUntil', '>', now)
        .where((where) =>
          where.or([
            where('running.retailerId', '=', where.ref('dispatches.retailerId')),
            where('running.mergedFileId', '=', where.ref('dispatches.mergedFileId')),
          ]),
        )
      const there = running
        .select('running.id')
        .whereRef('running.destinationId', '=', 'dispatches.destinationId')
      const count = running.select(fn.countAll<number>().as('count'))
      const ofSupplier = selectFrom('dispatches as running')
        .innerJoin('destinations as place', 'place.id', 'running.destinationId')
        .leftJoin('retailers as shop', 'shop.id', 'running.retailerId')
        .where('running.leaseUntil', '>', now)
        .where('place.isSlow', '=', lane === 'slow')
        .whereRef('shop.supplierId', '=', 'retailers.supplierId')
        .select(fn.countAll<number>().as('count'))
      return eb.and([
        eb(count, '<', MOST_OF_RETAILER[lane]),
        // A merged file is of no supplier.
        eb.or([eb('retailers.supplierId', 'is', null), eb(ofSupplier, '<', MOST_OF_SUPPLIER)]),
        not(exists(there)),
      ])
    })
}

/** Whether a file is due that may begin. */
export async function hasDueDispatch(db: Db, lane: Lane, now: number): Promise<boolean> {
  const due = await selectDue(db, lane, now).select('dispatches.id').limit(1).executeTakeFirst()
  return due !== undefined
}

const selectWaiting = prepare((db, { now }: { now: number }) =>
  db
    .selectFrom('dispatches')
    .select('id')
    .where('status', '=', 'waiting')
    .where('nextAttemptAt', '<=', now)
    .limit(1),
)

/** Whether any file waits to be sent, also if it must wait for others. */
export async function hasWaitingDispatch(db: Db, now: number): Promise<boolean> {
  return (await selectWaiting(db, { now }).executeTakeFirst()) !== undefined
}

/**
 * Claims a file that is due of the next company after `afterUserId`, in a round robin, in `inClaim`; undefined when none
 * is due of a company whom no other claim is about. One whose lease has run out may have arrived.
 */
export async function leaseDueDispatch(
  trx: WriteTransaction,
  lane: Lane,
  { now, ...lease }: { now: number; leaseToken: string; leaseUntil: number },
  afterUserId: number,
): Promise<(DispatchRow & { userId: number }) | undefined> {
  for (;;) {
    const due =
      (await findUnlocked(trx, lane, { now, afterUserId })) ??
      (afterUserId > 0 ? await findUnlocked(trx, lane, { now, afterUserId: 0 }) : undefined)
    if (!due) return undefined
    const { id, userId, leaseToken, isRepeat } = due
    const claimed = await trx
      .updateTable('dispatches')
      .set({ ...lease, startedAt: now, isRepeat: isRepeat || leaseToken !== null })
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      // Before its company was locked, others of it may have been claimed.
      .where(
        'id',
        'in',
        selectDue(trx, lane, now).select('dispatches.id').where('dispatches.id', '=', id),
      )
      .returningAll()
      .executeTakeFirst()
    if (claimed) return { ...claimed, userId }
  }
}

/** Locks the company instead, so that nothing else of it is claimed at the same time. */
const findUnlocked = (trx: WriteTransaction, lane: Lane, { now, afterUserId }: Turn) =>
  selectUnlocked(
    trx,
    selectDue(trx, lane, now)
      .select(['dispatches.id', 'dispatches.leaseToken', 'dispatches.isRepeat'])
      .select('users.id as userId')
      .where('users.id', '>', afterUserId)
      .orderBy('users.id')
      .orderBy('dispatches.nextAttemptAt')
      .orderBy('dispatches.id')
      .limit(1),
    ['users'],
  ).executeTakeFirst()

/** Updates a file on its way whose lease still holds. Returns false when the lease was lost. */
export async function updateLeasedDispatch(
  trx: WriteTransaction,
  lease: { id: number; leaseToken: string },
  now: number,
  changes: DispatchChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('dispatches')
    .set(changes)
    .where('id', '=', lease.id)
    .where(isLeasedBy(lease.leaseToken, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lists what waits to be sent to a destination, or is being sent, the oldest first. */
export function listWaitingFor(db: Db, { id }: Pick<DestinationRow, 'id'>): Promise<DispatchRow[]> {
  return db
    .selectFrom('dispatches')
    .selectAll()
    .where('destinationId', '=', id)
    .where('status', '=', 'waiting')
    .orderBy('id')
    .execute()
}

/** Lists the versions of a merged file of which a file waits to be sent. */
export async function listMergedVersionsToSend(db: Db, mergedFileId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('dispatches')
    .select('mergedVersionId')
    .distinct()
    .where('mergedFileId', '=', mergedFileId)
    .where('status', '=', 'waiting')
    .execute()
  return rows.flatMap(({ mergedVersionId }) => mergedVersionId ?? [])
}

export async function insertDispatch(
  trx: WriteTransaction,
  { id, retailerId, mergedFileId, name, kind }: Owned<DestinationRow>,
  dispatch: Omit<
    NewDispatchRow,
    'destinationId' | keyof SentFileIds | 'destinationName' | 'kind' | 'status'
  >,
): Promise<void> {
  const of = { destinationId: id, retailerId, mergedFileId, destinationName: name, kind }
  await trx
    .insertInto('dispatches')
    .values({ ...of, ...dispatch, status: 'waiting' })
    .execute()
}

/** Lets a file on its way take over how often those before it were tried, and when the next try is. */
export async function passOnTries(
  trx: WriteTransaction,
  { id }: Pick<DispatchRow, 'id'>,
  tries: { attempts: number; nextAttemptAt: number; answer: string },
): Promise<void> {
  await trx.updateTable('dispatches').set(tries).where('id', '=', id).execute()
}

/** Deletes what was made before an instant and is not on its way; returns how many. */
export function deleteOldDispatches(
  trx: WriteTransaction,
  createdBefore: number,
  limit: number,
): Promise<number> {
  const old = trx
    .selectFrom('dispatches')
    .select('id')
    .where('createdAt', '<', createdBefore)
    .where(({ or, eb }) => or([eb('status', '<>', 'waiting'), eb('destinationId', 'is', null)]))
  return countDeleted(trx.deleteFrom('dispatches').where('id', 'in', old.limit(limit)))
}
