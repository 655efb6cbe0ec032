import { sql } from 'kysely'

import type { CategoryCount } from '../../../../shared/schemas/file'
import { FILE_COLUMNS } from '../../../db/file-columns'
import type { Db, WriteTransaction } from '../../../db/open'
import { deleteSomeOf } from '../../../db/queries-kit/delete-in-batches'
import { prepare } from '../../../db/queries-kit/prepare'
import { COUNT, countRows, insertedId } from '../../../db/queries-kit/results'
import type { ConnectionRow, NewVersionRow, VersionRow } from '../../../db/schema'

/** The columns that queries return by default: all but the wide ones. */
const COLUMNS = [
  'id',
  'connectionId',
  'fileName',
  'sha256',
  'sizeBytes',
  'rowCount',
  'categoryReading',
  'quantityColumn',
  'quantitySum',
  'numbers',
  'dialect',
  'createdAt',
  'publishedAt',
  'dataAt',
  'keysSha256',
  'keysBytes',
  'keyColumn',
  'keyQuantityColumn',
  'keyCount',
  'repeatedRows',
  'keylessRows',
  'goneSha256',
] as const

export type VersionRecord = Pick<VersionRow, (typeof COLUMNS)[number]>

const selectVersion = prepare((db, { id }: { id: number }) =>
  db.selectFrom('versions').select(COLUMNS).where('id', '=', id),
)

export const findVersion = (db: Db, id: number): Promise<VersionRecord | undefined> =>
  selectVersion(db, { id }).executeTakeFirst()

/** Lists those of these versions that there are. */
export const listVersions = (db: Db, ids: readonly number[]): Promise<VersionRecord[]> =>
  db.selectFrom('versions').select(COLUMNS).where('id', 'in', ids).execute()

/** Finds the version that a connection has published; undefined without any, or without a connection. */
export async function findPublishedVersion(
  db: Db,
  connection: Pick<ConnectionRow, 'publishedVersionId'> | undefined,
): Promise<VersionRecord | undefined> {
  const id = connection?.publishedVersionId
  return id ? findVersion(db, id) : undefined
}

export function findVersionByFileName(
  db: Db,
  connectionId: number,
  fileName: string,
): Promise<VersionRecord | undefined> {
  return db
    .selectFrom('versions')
    .select(COLUMNS)
    .where('connectionId', '=', connectionId)
    .where('fileName', '=', fileName)
    .executeTakeFirst()
}

/** Lists published versions, newest first. */
export function listPublishedVersions(
  db: Db,
  connectionId: number,
  limit: number,
): Promise<VersionRecord[]> {
  return db
    .selectFrom('versions')
    .select(COLUMNS)
    .where('connectionId', '=', connectionId)
    .where('status', '=', 'published')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts the versions of a connection that were published after another one, up to `newest`. */
export function countVersionsAfter(
  db: Db,
  newest: Pick<VersionRecord, 'id' | 'connectionId'>,
  id: number,
): Promise<number> {
  return countRows(
    db
      .selectFrom('versions')
      .where('connectionId', '=', newest.connectionId)
      .where('status', '=', 'published')
      .where('id', '>', id)
      .where('id', '<=', newest.id)
      .select(COUNT),
  )
}

/** Finds the header and first rows that were stored with the version. */
export function findVersionHead(db: Db, id: number) {
  return db
    .selectFrom('versions')
    .select(['columns', 'columnCount', 'headRows'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** As many names as are stored of newer versions. */
const KNOWN_NAMES = 200

const selectReading = prepare((db, { id }: { id: number }) =>
  db.selectFrom('versions').select(['dialect', 'columns', 'columnCount']).where('id', '=', id),
)

/**
 * Finds how a version's source was encoded, as in `shared/encodings`, where its table was, and what its header
 * was; undefined for no version.
 */
export async function findVersionReading(db: Db, id: number | null) {
  if (id === null) return undefined
  const found = await selectReading(db, { id }).executeTakeFirst()
  return found && toVersionReading(found)
}

export const toVersionReading = ({
  dialect,
  columns,
  columnCount,
}: Pick<VersionRow, 'dialect' | 'columns' | 'columnCount'>) => ({
  encoding: dialect.encoding,
  origin: dialect.origin,
  header: {
    hasHeader: dialect.hasHeader,
    columns: columns.slice(0, KNOWN_NAMES),
    columnCount: columnCount ?? columns.length,
  },
})

/** Finds the dialect and the problems that were found in a version's source. */
export function findVersionFindings(db: Db, id: number) {
  return db
    .selectFrom('versions')
    .select(['isRewritten', 'columns', 'columnCount', 'dialect', 'problems', 'numbers'])
    .select(['categoryExamples', 'fromUpdate', 'fromOverlay'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** What is found in a source besides its content: the same content may come in another form. */
export type VersionFindings = Pick<
  VersionRow,
  'isRewritten' | 'dialect' | 'problems' | 'numbers' | 'categoryExamples' | 'fromOverlay'
>

export async function updateVersionFindings(
  trx: WriteTransaction,
  id: number,
  { isRewritten, dialect, problems, numbers, categoryExamples, fromOverlay }: VersionFindings,
): Promise<void> {
  await trx
    .updateTable('versions')
    .set({ isRewritten, dialect, problems, numbers, categoryExamples, fromOverlay })
    .where('id', '=', id)
    .execute()
}

/** Returns the distinct cells of the category column, each with its number of rows. */
export async function findCategoryCounts(db: Db, id: number): Promise<CategoryCount[]> {
  const row = await db
    .selectFrom('versions')
    .select('categoryCounts')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.categoryCounts ?? []
}

const insertRow = prepare((db, version: NewVersionRow) =>
  db.insertInto('versions').values(version).returning('id'),
)

export const insertVersion = (trx: WriteTransaction, version: NewVersionRow) =>
  insertedId(insertRow(trx, version))

const selectNewestTimes = prepare((db, { connectionId }: { connectionId: number }) =>
  db
    .selectFrom('versions')
    .select(({ fn }) => [
      fn.max('createdAt').as('createdAt'),
      fn.max('publishedAt').as('publishedAt'),
    ])
    .where('connectionId', '=', connectionId),
)

/** Returns when versions of a connection were last created and published; 0 for never. */
export async function findNewestVersionTimes(db: Db, connectionId: number) {
  const row = await selectNewestTimes(db, { connectionId }).executeTakeFirst()
  return { createdAt: row?.createdAt ?? 0, publishedAt: row?.publishedAt ?? 0 }
}

export type PrunableVersion = Awaited<ReturnType<typeof listPrunableVersions>>[number]

/** Lists versions that may be removed: all but pinned, published and held ones and retailers' current ones. */
export const listPrunableVersions = (db: Db, connectionId: number) =>
  selectPrunable(db, { connectionId }).execute()

const selectPrunable = prepare((db, { connectionId }: { connectionId: number }) =>
  db
    .selectFrom('versions')
    .select(['id', 'sha256', 'sizeBytes', 'keysSha256', 'keysBytes', 'createdAt'])
    .select(['goneSha256', 'goneBytes'])
    .where('connectionId', '=', connectionId)
    .where('isPinned', '=', false)
    .where('id', 'not in', (select) =>
      select
        .selectFrom('retailers')
        .select('currentVersionId')
        .where('currentVersionId', 'is not', null)
        .$castTo<{ currentVersionId: number }>(),
    )
    .where('id', 'not in', (select) =>
      select
        .selectFrom('connections')
        .select('publishedVersionId')
        .where('publishedVersionId', 'is not', null)
        .$castTo<{ publishedVersionId: number }>(),
    )
    .where('id', 'not in', (select) =>
      select
        .selectFrom('connections')
        .select('heldVersionId')
        .where('heldVersionId', 'is not', null)
        .$castTo<{ heldVersionId: number }>(),
    )
    .orderBy('id', 'desc'),
)

const sumBytes = prepare((db, { connectionId }: { connectionId: number }) =>
  db
    .selectFrom('versions')
    .select(
      sql<number | null>`sum("sizeBytes" + coalesce("keysBytes", 0) + coalesce("goneBytes", 0))`.as(
        'bytes',
      ),
    )
    .where('connectionId', '=', connectionId),
)

/** Sums the sizes of a connection's versions with what is stored of each, without their filtered files. */
export async function sumVersionBytes(db: Db, connectionId: number): Promise<number> {
  return (await sumBytes(db, { connectionId }).executeTakeFirstOrThrow()).bytes ?? 0
}

export async function deleteVersions(trx: WriteTransaction, ids: number[]): Promise<void> {
  await trx.deleteFrom('versions').where('id', 'in', ids).execute()
}

/** Whether a file is that of a version of a connection. */
export async function hasVersionOf(db: Db, connectionId: number, sha256: string): Promise<boolean> {
  const one = await db
    .selectFrom('versions')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/** Whether any row names a stored file. */
export async function isFileReferenced(db: Db, sha256: string): Promise<boolean> {
  return (await listReferencedFiles(db, [sha256])).size > 0
}

/** Which of these files any row names, also as a compressed copy or as what is on its way. */
export async function listReferencedFiles(
  db: Db,
  sha256s: readonly string[],
): Promise<Set<string>> {
  if (sha256s.length === 0) return new Set()
  const select = (table: string, column: string) =>
    sql`select ${sql.ref(column)} as sha256 from ${sql.table(table)}
      where ${sql.ref(column)} in (${sql.join(sha256s)})`
  const named = sql<{ sha256: string }>`${sql.join(
    [
      ...FILE_COLUMNS.map(({ table, sha256 }) => select(table, sha256)),
      select('compressedFiles', 'gzipSha256'),
      select('compressedFiles', 'brSha256'),
      // What is on its way is read until it has arrived.
      sql`${select('dispatches', 'sha256')} and status = 'waiting' and "destinationId" is not null`,
    ],
    sql` union `,
  )}`
  const { rows } = await named.execute(db)
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** Deletes a few of those of a supplier's connections; returns how many. */
export const deleteVersionsOf = (trx: WriteTransaction, supplierId: number, limit: number) =>
  deleteSomeOf(trx, 'versions', { supplierId, limit })
