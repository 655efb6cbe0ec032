import type { Db, WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import { inPages } from '../../../db/queries-kit/page'
import { countDeleted } from '../../../db/queries-kit/results'
import type {
  ConnectionRow,
  MailInboxChanges,
  MailInboxRow,
  NewMailInboxRow,
} from '../../../db/schema'

export function findInboxOfToken(db: Db, tokenHash: string): Promise<MailInboxRow | undefined> {
  return db
    .selectFrom('mailInboxes')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

export function findInboxOfConnection(
  db: Db,
  connectionId: number,
): Promise<MailInboxRow | undefined> {
  return db
    .selectFrom('mailInboxes')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .executeTakeFirst()
}

export async function insertMailInbox(
  trx: WriteTransaction,
  { id: connectionId }: Owned<ConnectionRow>,
  inbox: Omit<NewMailInboxRow, 'connectionId'>,
): Promise<void> {
  await trx
    .insertInto('mailInboxes')
    .values({ connectionId, ...inbox })
    .execute()
}

export async function updateMailInbox(
  trx: WriteTransaction,
  id: number,
  changes: MailInboxChanges,
): Promise<void> {
  await trx.updateTable('mailInboxes').set(changes).where('id', '=', id).execute()
}

/** Deletes the address of a connection; returns how many. */
export function deleteMailInbox(
  trx: WriteTransaction,
  { id }: Owned<ConnectionRow>,
): Promise<number> {
  return countDeleted(trx.deleteFrom('mailInboxes').where('connectionId', '=', id))
}

const PAGE_SIZE = 100

/** Yields all addresses, in pages. */
export function eachMailInbox(db: Db): AsyncGenerator<MailInboxRow[]> {
  return inPages(PAGE_SIZE, (after) =>
    db
      .selectFrom('mailInboxes')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute(),
  )
}
