import { KEPT_MAILS } from '../../../../shared/constants'
import type { Db, WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import { countRows, COUNT, insertedId } from '../../../db/queries-kit/results'
import type { ConnectionRow, MailChanges, MailRow, NewMailRow } from '../../../db/schema'

/** Finds a mail of a connection that has come before. */
export function findMailByDigest(
  db: Db,
  connectionId: number,
  digest: string,
): Promise<MailRow | undefined> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .where('digest', '=', digest)
    .executeTakeFirst()
}

export function findMail(
  db: Db,
  { connectionId, id }: { connectionId: number; id: number },
): Promise<MailRow | undefined> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function countWaitingMails(db: Db, connectionId: number): Promise<number> {
  return countRows(
    db
      .selectFrom('mails')
      .where('connectionId', '=', connectionId)
      .where('state', '=', 'waiting')
      .select(COUNT),
  )
}

/** Lists the last mails of a connection, newest first, those that wait before all others. */
export function listMailRows(db: Db, connectionId: number) {
  return db
    .selectFrom('mails')
    .leftJoin('users', 'users.id', 'mails.decidedBy')
    .selectAll('mails')
    .select(['users.username', 'users.role'])
    .where('mails.connectionId', '=', connectionId)
    .orderBy(({ eb, ref }) =>
      eb.case().when(ref('mails.state'), '=', 'waiting').then(0).else(1).end(),
    )
    .orderBy('mails.id', 'desc')
    .limit(KEPT_MAILS)
    .execute()
}

export type ListedMail = Awaited<ReturnType<typeof listMailRows>>[number]

/** Adds a mail, and deletes the oldest ones of its connection that wait no more. */
export async function insertMail(
  trx: WriteTransaction,
  { id: connectionId }: Owned<ConnectionRow>,
  mail: Omit<NewMailRow, 'connectionId'>,
): Promise<number> {
  const row = { ...mail, connectionId }
  const id = await insertedId(trx.insertInto('mails').values(row).returning('id'))
  const kept = trx
    .selectFrom('mails')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('state', '!=', 'waiting')
    .orderBy('id', 'desc')
    .limit(KEPT_MAILS)
  await trx
    .deleteFrom('mails')
    .where('connectionId', '=', connectionId)
    .where('state', '!=', 'waiting')
    .where('id', 'not in', kept)
    .execute()
  return id
}

export async function updateMail(
  trx: WriteTransaction,
  id: number,
  changes: MailChanges,
): Promise<void> {
  await trx.updateTable('mails').set(changes).where('id', '=', id).execute()
}

/** Lists mails that have waited since before an instant, oldest first. */
export function listMailsWaitingSince(db: Db, before: number): Promise<MailRow[]> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('receivedAt', '<', before)
    .orderBy('receivedAt')
    .limit(1_000)
    .execute()
}

/** Deletes those that have ended before an instant; returns how many. */
export async function deleteMailsBefore(trx: WriteTransaction, before: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('mails')
    .where('state', '!=', 'waiting')
    .where('endedAt', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Whether a mail that came since then waits for this reason. */
export async function hasMailOfReason(db: Db, reason: string, since: number): Promise<boolean> {
  const found = await db
    .selectFrom('mails')
    .select('id')
    .where('reason', '=', reason)
    .where('receivedAt', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** A text that changes with the address of a connection, and with its mails. */
export async function readMailMark(db: Db, connectionId: number): Promise<string> {
  const inbox = await db
    .selectFrom('mailInboxes')
    .select(['createdAt', 'allowedSenders'])
    .where('connectionId', '=', connectionId)
    .executeTakeFirst()
  const { newestId, lastEnd } = await db
    .selectFrom('mails')
    .where('connectionId', '=', connectionId)
    .select(({ fn }) => [
      fn.max<number | null>('id').as('newestId'),
      fn.max<number | null>('endedAt').as('lastEnd'),
    ])
    .executeTakeFirstOrThrow()
  const waiting = await countWaitingMails(db, connectionId)
  return [inbox?.createdAt, inbox?.allowedSenders.join(), newestId, lastEnd, waiting].join(' ')
}
