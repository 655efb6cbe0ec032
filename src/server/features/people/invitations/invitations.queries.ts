import { sql, type InferResult } from 'kysely'

import { INVITATION_KINDS, type InvitationKind } from '../../../../shared/invitations'
import type { Db, WriteTransaction } from '../../../db/open'
import { asOwned, type Owned } from '../../../db/queries-kit/owned'
import { COUNT, countDeleted, countRows, insertedId } from '../../../db/queries-kit/results'
import type { InvitationChanges, InvitationRow, NewInvitationRow } from '../../../db/schema'

/** Restricts a query to kinds, and to a company's invitations or those of administrators. */
export type InvitationScope = { companyId?: number | null; kinds?: readonly InvitationKind[] }

const selectWithin = (db: Db, { companyId, kinds = INVITATION_KINDS }: InvitationScope) => {
  const all = db.selectFrom('invitations').where('invitations.kind', 'in', kinds)
  if (companyId === undefined) return all
  return companyId === null
    ? all.where('companyId', 'is', null)
    : all.where('companyId', '=', companyId)
}

const selectNamed = (db: Db, scope: InvitationScope) =>
  selectWithin(db, scope)
    .leftJoin('users as accepting', 'accepting.id', 'invitations.acceptedBy')
    .selectAll('invitations')
    .select('accepting.username as acceptedName')

/** An invitation with the username of whoever accepted it. */
export type NamedInvitation = InferResult<ReturnType<typeof selectNamed>>[number]

/** Lists the first `limit` invitations: those that can be accepted at `now`, then the newest. */
export function listInvitationRows(
  db: Db,
  scope: InvitationScope,
  { now, limit }: { now: number; limit: number },
): Promise<NamedInvitation[]> {
  const isOpen = sql`case when invitations."tokenHash" is not null
    and invitations."expiresAt" > ${now} then 0 else 1 end`
  return selectNamed(db, scope)
    .orderBy(isOpen)
    .orderBy('invitations.id', 'desc')
    .limit(limit)
    .execute()
}

/** Finds an invitation within a scope; any other is undefined. */
export async function findInvitation(
  db: Db,
  id: number,
  scope: InvitationScope,
): Promise<Owned<NamedInvitation> | undefined> {
  const row = await selectNamed(db, scope).where('invitations.id', '=', id).executeTakeFirst()
  return row && asOwned(row)
}

/** Finds the invitation with this token, if it can be accepted at `now`. */
export function findOpenInvitation(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/** How many invitations of a company's retailers can be accepted at `now`. */
export function countOpenInvitations(db: Db, companyId: number, now: number): Promise<number> {
  return countRows(
    db
      .selectFrom('invitations')
      .where('companyId', '=', companyId)
      .where('kind', '=', 'RETAILER')
      .where('tokenHash', 'is not', null)
      .where('expiresAt', '>', now)
      .select(COUNT),
  )
}

/** A text that changes with what is listed of a scope; undefined before the first invitation. */
export async function readInvitationMark(
  db: Db,
  scope: InvitationScope,
): Promise<string | undefined> {
  const { count, ...figures } = await selectWithin(db, scope)
    .select(({ fn }) => [
      COUNT,
      fn.max('id').as('newestId'),
      fn.max('renewedAt').as('renewedAt'),
      fn.count('acceptedAt').as('accepted'),
      fn.count('withdrawnAt').as('withdrawn'),
      sql<number>`coalesce(sum(case "mailState" when 'sent' then 1 when 'failed' then 1000 else 0 end), 0)`.as(
        'mailed',
      ),
    ])
    .executeTakeFirstOrThrow()
  return count === 0 ? undefined : [count, ...Object.values(figures)].join(' ')
}

export function insertInvitation(trx: WriteTransaction, row: NewInvitationRow): Promise<number> {
  return insertedId(trx.insertInto('invitations').values(row).returning('id'))
}

export async function updateInvitation(
  trx: WriteTransaction,
  { id }: Owned<{ id: number }>,
  changes: InvitationChanges,
): Promise<void> {
  await trx.updateTable('invitations').set(changes).where('id', '=', id).execute()
}

/** Ends the open invitations that a person has made. */
export async function withdrawInvitationsBy(
  trx: WriteTransaction,
  personId: number,
  now: number,
): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ tokenHash: null, withdrawnAt: now })
    .where('invitedBy', '=', personId)
    .where('tokenHash', 'is not', null)
    .execute()
}

/** Records what became of the mail with the link of this token, unless there is a newer one. */
export async function recordMailState(
  trx: WriteTransaction,
  tokenHash: string,
  mailState: InvitationRow['mailState'],
): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ mailState })
    .where('tokenHash', '=', tokenHash)
    .execute()
}

/** Takes an open invitation, so that nobody else can. Returns undefined when it is not open at `now`. */
export function takeInvitation(
  trx: WriteTransaction,
  tokenHash: string,
  now: number,
): Promise<InvitationRow | undefined> {
  return trx
    .updateTable('invitations')
    .set({ acceptedAt: now, tokenHash: null })
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export async function recordAcceptance(
  trx: WriteTransaction,
  { id }: Pick<InvitationRow, 'id'>,
  acceptedBy: number,
): Promise<void> {
  await trx.updateTable('invitations').set({ acceptedBy }).where('id', '=', id).execute()
}

/** More than are added at a time. */
const DELETED_AT_ONCE = 100

/** Deletes invitations of a scope that are not open at `now`, but for the newest; returns how many. */
export function deleteEndedInvitations(
  trx: WriteTransaction,
  scope: InvitationScope,
  { now, kept }: { now: number; kept: number },
): Promise<number> {
  const ended = selectWithin(trx, scope)
    .select('invitations.id')
    .where(({ or, eb }) => or([eb('tokenHash', 'is', null), eb('expiresAt', '<=', now)]))
    .orderBy('invitations.id', 'desc')
    .limit(DELETED_AT_ONCE)
    .offset(kept)
  return countDeleted(trx.deleteFrom('invitations').where('id', 'in', ended))
}

/** Deletes invitations whose last link ended before `before`; returns how many. */
export function deleteInvitationsBefore(trx: WriteTransaction, before: number): Promise<number> {
  return countDeleted(trx.deleteFrom('invitations').where('expiresAt', '<', before))
}

/** Lists the invitations that these people have accepted, or whose company they are. */
export async function listInvitationIdsOf(db: Db, people: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('invitations')
    .select('id')
    .where((where) =>
      where.or([where('acceptedBy', 'in', people), where('companyId', 'in', people)]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteInvitationsOf(
  trx: WriteTransaction,
  people: readonly number[],
): Promise<void> {
  await trx.deleteFrom('invitations').where('acceptedBy', 'in', people).execute()
}

/** Whether a supplier has this group of retailers. */
export async function hasGroup(
  db: Db,
  { companyId, groupId }: { companyId: number; groupId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('retailerGroups')
    .select('id')
    .where('id', '=', groupId)
    .where('supplierId', '=', companyId)
    .executeTakeFirst()
  return row !== undefined
}
