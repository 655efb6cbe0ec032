import type { Insertable, Updateable } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { asOwned, type Owned } from '../../../db/queries-kit/owned'
import { inPages } from '../../../db/queries-kit/page'
import { insertedId } from '../../../db/queries-kit/results'
import type { WebhookRow } from '../../../db/schema'
import type { WebhooksTable } from '../../../db/tables/alerts'

const PAGE_SIZE = 100

export function listWebhookRows(db: Db, userId: number): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().where('userId', '=', userId).orderBy('id').execute()
}

/** Yields all webhooks, in pages. */
export function eachWebhook(db: Db): AsyncGenerator<WebhookRow[]> {
  return inPages(PAGE_SIZE, (after) =>
    db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute(),
  )
}

export async function findWebhook(
  db: Db,
  { id, userId }: { id: number; userId: number },
): Promise<Owned<WebhookRow> | undefined> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row && asOwned(row)
}

export function insertWebhook(
  trx: WriteTransaction,
  webhook: Insertable<WebhooksTable>,
): Promise<number> {
  return insertedId(trx.insertInto('webhooks').values(webhook).returning('id'))
}

export async function updateWebhookRow(
  trx: WriteTransaction,
  { id }: Owned<WebhookRow>,
  changes: Updateable<WebhooksTable>,
): Promise<void> {
  await trx.updateTable('webhooks').set(changes).where('id', '=', id).execute()
}

/** Deletes a webhook with all its messages. */
export async function deleteWebhookRow(
  trx: WriteTransaction,
  { id }: Owned<WebhookRow>,
): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute()
}

export async function listWebhookIdsOf(db: Db, userIds: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('webhooks').select('id').where('userId', 'in', userIds).execute()
  return rows.map(({ id }) => id)
}
