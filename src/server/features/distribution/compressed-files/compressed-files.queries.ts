import type { ExpressionBuilder } from 'kysely'

import type { Coding } from '../../../../shared/content-codings'
import type { Db, WriteTransaction } from '../../../db/open'
import { isLeasedBy } from '../../../db/queries-kit/expressions'
import { prepare } from '../../../db/queries-kit/prepare'
import type { CompressedFileChanges, CompressedFileRow, Database } from '../../../db/schema'

const NO_COPIES = { gzipSha256: null, gzipBytes: null, brSha256: null, brBytes: null } as const

/** A compressed copy of a file, and its content coding by its name in HTTP. */
export type CompressedCopy = { coding: Coding; sha256: string; sizeBytes: number }

/** The copies of a file, smallest first. */
export function listCopies(row: CompressedFileRow): CompressedCopy[] {
  const { gzipSha256, gzipBytes, brSha256, brBytes } = row
  const copies: CompressedCopy[] = []
  if (gzipSha256 !== null && gzipBytes !== null) {
    copies.push({ coding: 'gzip', sha256: gzipSha256, sizeBytes: gzipBytes })
  }
  if (brSha256 !== null && brBytes !== null) {
    copies.push({ coding: 'br', sha256: brSha256, sizeBytes: brBytes })
  }
  return copies.toSorted((one, other) => one.sizeBytes - other.sizeBytes)
}

const selectCompressedFile = prepare((db, { sha256 }: { sha256: string }) =>
  db.selectFrom('compressedFiles').selectAll().where('sha256', '=', sha256),
)

export const findCompressedFile = (
  db: Db,
  sha256: string,
): Promise<CompressedFileRow | undefined> => selectCompressedFile(db, { sha256 }).executeTakeFirst()

/**
 * Asks for a copy of a file. A file whose other copy is being made is left as it is, so that the next reader asks again;
 * one that failed is retried if that was before `retryBefore`.
 */
export async function insertCompression(
  trx: WriteTransaction,
  { sha256, ...request }: { sha256: string; asked: Coding; requestedAt: number },
  retryBefore: number,
): Promise<void> {
  const waiting = { ...request, status: 'waiting' } as const
  await trx
    .insertInto('compressedFiles')
    .values({ sha256, ...waiting })
    .onConflict((conflict) =>
      conflict
        .column('sha256')
        .doUpdateSet(waiting)
        .where(({ and, or, eb }) =>
          or([
            and([
              eb('compressedFiles.status', '=', 'failed'),
              eb('compressedFiles.requestedAt', '<', retryBefore),
            ]),
            and([
              eb('compressedFiles.status', '=', 'ready'),
              eb(`compressedFiles.${request.asked}Sha256`, 'is', null),
            ]),
          ]),
        ),
    )
    .execute()
}

const selectNext = prepare((db, { now }: { now: number }) =>
  selectWaiting(db, now)
    .select(['sha256', 'asked'])
    .orderBy('requestedAt')
    .orderBy('sha256')
    .limit(1),
)

/** Finds the file that has waited longest and that no live run holds. */
export const findWaitingCompression = (
  db: Db,
  now: number,
): Promise<Pick<CompressedFileRow, 'sha256' | 'asked'> | undefined> =>
  selectNext(db, { now }).executeTakeFirst()

/** Claims a waiting file. Returns false when another run holds it. */
export async function leaseCompression(
  trx: WriteTransaction,
  sha256: string,
  now: number,
  lease: { leaseToken: string; leaseUntil: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('compressedFiles')
    .set(lease)
    .where('sha256', '=', sha256)
    .where((where) => isWaiting(where, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Updates a file whose lease still holds. Returns false when the lease was lost. */
export async function updateLeasedCompression(
  trx: WriteTransaction,
  lease: { sha256: string; token: string },
  now: number,
  changes: CompressedFileChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('compressedFiles')
    .set(changes)
    .where('sha256', '=', lease.sha256)
    .where(isLeasedBy(lease.token, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const selectOfConnection = prepare((db, { connectionId }: { connectionId: number }) =>
  db
    .selectFrom('compressedFiles')
    .selectAll()
    .where(({ or, eb }) => or([eb('gzipSha256', 'is not', null), eb('brSha256', 'is not', null)]))
    .where('sha256', 'in', (select) =>
      select
        .selectFrom('versions')
        .select('sha256')
        .where('connectionId', '=', connectionId)
        .union(
          select
            .selectFrom('variants')
            .innerJoin('versions', 'versions.id', 'variants.versionId')
            .select('variants.sha256')
            .where('versions.connectionId', '=', connectionId)
            .where('variants.sha256', 'is not', null)
            .$narrowType<{ sha256: string }>(),
        ),
    ),
)

/** Lists the files of a connection that have copies. */
export const listCompressedFiles = (db: Db, connectionId: number): Promise<CompressedFileRow[]> =>
  selectOfConnection(db, { connectionId }).execute()

/** Lists the connections with a version or variant that has this content. */
export async function listConnectionsWith(db: Db, sha256: string): Promise<number[]> {
  const rows = await db
    .selectFrom('versions')
    .select('connectionId')
    .where('sha256', '=', sha256)
    .union((select) =>
      select
        .selectFrom('variants')
        .innerJoin('versions', 'versions.id', 'variants.versionId')
        .select('versions.connectionId')
        .where('variants.sha256', '=', sha256),
    )
    .execute()
  return rows.map(({ connectionId }) => connectionId)
}

/** Marks the copies of these files as deleted. */
export async function dropCopies(
  trx: WriteTransaction,
  sha256s: string[],
  now: number,
): Promise<void> {
  await trx
    .updateTable('compressedFiles')
    .set({ ...NO_COPIES, status: 'failed', requestedAt: now })
    .where('sha256', 'in', sha256s)
    .execute()
}

/** Deletes the records of files; returns what they were. */
export async function deleteCompressedFiles(
  trx: WriteTransaction,
  sha256s: readonly string[],
): Promise<CompressedFileRow[]> {
  if (sha256s.length === 0) return []
  return trx.deleteFrom('compressedFiles').where('sha256', 'in', sha256s).returningAll().execute()
}

/** Deletes the records of files that no version or variant names any more. */
export async function deleteUnneededCompressions(trx: WriteTransaction): Promise<void> {
  await trx
    .deleteFrom('compressedFiles')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('versions')
            .select('id')
            .whereRef('versions.sha256', '=', 'compressedFiles.sha256'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('variants')
            .select('id')
            .whereRef('variants.sha256', '=', 'compressedFiles.sha256'),
        ),
      ),
    )
    .execute()
}

function selectWaiting(db: Db, now: number) {
  return db.selectFrom('compressedFiles').where((where) => isWaiting(where, now))
}

const isWaiting = (where: ExpressionBuilder<Database, 'compressedFiles'>, now: number) =>
  where.and([
    where('status', '=', 'waiting'),
    where.or([where('leaseUntil', 'is', null), where('leaseUntil', '<=', now)]),
  ])
