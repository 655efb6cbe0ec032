import { MINUTE_MS } from '../../../../shared/durations'
import type { Db, WriteTransaction } from '../../../db/open'
import { isLeasedBy } from '../../../db/queries-kit/expressions'
import { prepare } from '../../../db/queries-kit/prepare'
import type { VariantChanges, VariantRow } from '../../../db/schema'
import type { VariantSpec } from '../../../db/stored-json'

const COLUMNS = [
  'id',
  'versionId',
  'viewKey',
  'status',
  'sha256',
  'sizeBytes',
  'rowCount',
  'problems',
  'leaseToken',
  'leaseUntil',
  'createdAt',
  'usedAt',
  'requestedBy',
  'refusal',
  'refusedAt',
] as const

/** The newest ones; each lists its categories. */
const MAX_VIEWS = 500

export type VariantRecord = Omit<VariantRow, 'view' | 'columns' | 'columnCount' | 'headRows'>
export type ReadyVariant = VariantRecord & { sha256: string; sizeBytes: number; rowCount: number }

export function isReady(variant: VariantRecord): variant is ReadyVariant {
  return variant.status === 'ready' && variant.sha256 !== null
}

export function findVariant(
  db: Db,
  versionId: number,
  viewKey: string,
): Promise<VariantRecord | undefined> {
  return db
    .selectFrom('variants')
    .select(COLUMNS)
    .where('versionId', '=', versionId)
    .where('viewKey', '=', viewKey)
    .executeTakeFirst()
}

/** Finds the header and first rows of a variant, and its delimiter's shop format. */
export function findVariantHead(db: Db, id: number) {
  return db
    .selectFrom('variants')
    .select(['columns', 'columnCount', 'headRows', 'view'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Lists the keys of a connection's variants that were downloaded since `since`, and which are among
 * `keys`.
 */
export async function listUsedViewKeys(
  db: Db,
  connectionId: number,
  { keys, since }: { keys: readonly string[]; since: number },
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await selectConnectionVariants(db, connectionId)
    .select('viewKey')
    .distinct()
    .where('viewKey', 'in', keys)
    .where('usedAt', '>=', since)
    .execute()
  return new Set(rows.map(({ viewKey }) => viewKey))
}

/** Whether a file is that of a view of any version of a connection. */
export async function hasVariantOf(
  db: Db,
  connectionId: number,
  { viewKey, sha256 }: { viewKey: string; sha256: string },
): Promise<boolean> {
  const one = await selectConnectionVariants(db, connectionId)
    .select('id')
    .where('viewKey', '=', viewKey)
    .where('sha256', '=', sha256)
    .where('status', '=', 'ready')
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/** Lists a connection's stored files, and what they show of their versions. */
export function listStoredViews(db: Db, connectionId: number) {
  return selectConnectionVariants(db, connectionId)
    .select(['versionId', 'view', 'sha256'])
    .where('status', '=', 'ready')
    .orderBy('id', 'desc')
    .limit(MAX_VIEWS)
    .$narrowType<{ sha256: string }>()
    .execute()
}

/** One that was refused is not tried again before. */
const RETRY_AFTER_MS = MINUTE_MS

/** A filtered file that is to be built. `requestedBy` is the retailer that asks for it, if one does. */
type VariantRequest = {
  versionId: number
  viewKey: string
  view: VariantSpec
  createdAt: number
  requestedBy?: number | undefined
}

/**
 * Inserts a variant to be built. Keeps an existing one, but retries one that has failed. A refusal
 * later than now is of a clock that was ahead, and does not count.
 */
export async function requestVariant(
  trx: WriteTransaction,
  variant: VariantRequest,
): Promise<void> {
  await trx
    .insertInto('variants')
    .values({ ...variant, status: 'processing' })
    .onConflict((conflict) =>
      conflict
        .columns(['versionId', 'viewKey'])
        .doUpdateSet({
          status: 'processing',
          ...(variant.requestedBy !== undefined && { requestedBy: variant.requestedBy }),
        })
        .where('variants.status', '=', 'failed')
        .where((where) =>
          where.or([
            where('variants.refusedAt', 'is', null),
            where('variants.refusedAt', '<=', variant.createdAt - RETRY_AFTER_MS),
            where('variants.refusedAt', '>', variant.createdAt),
          ]),
        ),
    )
    .execute()
}

/** Updates those of these variants whose lease still holds; returns their ids. */
export async function updateLeasedVariants(
  trx: WriteTransaction,
  lease: { ids: readonly number[]; token: string },
  now: number,
  changes: VariantChanges,
): Promise<number[]> {
  const rows = await trx
    .updateTable('variants')
    .set(changes)
    .where('id', 'in', lease.ids)
    .where(isLeasedBy(lease.token, now))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the variants, of all versions of a connection, that were requested before `before`. */
export function listConnectionVariants(
  db: Db,
  connectionId: number,
  before: number,
): Promise<VariantRecord[]> {
  return selectConnectionVariants(db, connectionId)
    .select(COLUMNS)
    .where('createdAt', '<', before)
    .execute()
}

/** A filtered file on the disk. */
export type StoredVariant = {
  id: number
  versionId: number
  viewKey: string
  sha256: string
  sizeBytes: number
  usedAt: number
  requestedBy: number | null
}

/** Lists a connection's filtered files, least recently used first. */
export const listStoredVariants = (db: Db, connectionId: number): Promise<StoredVariant[]> =>
  selectStored(db, { connectionId }).execute()

const selectStored = prepare((db, { connectionId }: { connectionId: number }) =>
  selectConnectionVariants(db, connectionId)
    .select(['id', 'versionId', 'viewKey', 'sha256', 'sizeBytes', 'requestedBy'])
    .select((select) => select.fn.coalesce('usedAt', 'createdAt').as('usedAt'))
    .where('status', '=', 'ready')
    .orderBy('usedAt', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .$narrowType<{ sha256: string; sizeBytes: number; usedAt: number }>(),
)

function selectConnectionVariants(db: Db, connectionId: number) {
  return db
    .selectFrom('variants')
    .where('versionId', 'in', (select) =>
      select.selectFrom('versions').select('id').where('connectionId', '=', connectionId),
    )
}

/** Records when a variant was downloaded, unless a use after `unlessAfter` is recorded already. */
export async function markVariantsUsed(
  trx: WriteTransaction,
  ids: number[],
  { usedAt, unlessAfter }: { usedAt: number; unlessAfter: number },
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('variants')
    .set({ usedAt })
    .where('id', 'in', ids)
    .where((where) => where.or([where('usedAt', 'is', null), where('usedAt', '<=', unlessAfter)]))
    .execute()
}

/** Marks stored variants as refused; their files are to be deleted. */
export async function refuseVariants(
  trx: WriteTransaction,
  ids: number[],
  { refusal, refusedAt }: { refusal: string; refusedAt: number },
): Promise<void> {
  await trx
    .updateTable('variants')
    .set({ status: 'failed', sha256: null, sizeBytes: null, rowCount: null, refusal, refusedAt })
    .where('id', 'in', ids)
    .execute()
}

export async function deleteVariants(trx: WriteTransaction, ids: number[]): Promise<void> {
  await trx.deleteFrom('variants').where('id', 'in', ids).execute()
}
