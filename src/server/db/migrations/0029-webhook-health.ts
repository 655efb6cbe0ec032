import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds what is known of the receivers of webhooks, and finds due deliveries of users in turn. */
export const webhookHealthMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('webhooks')
      .addColumn('isSlow', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    for (const name of ['failingSince', 'switchedOffAt']) {
      await db.schema.alterTable('webhooks').addColumn(name, 'integer').execute()
    }
    await sql`create index "deliveriesOfUser" on deliveries ("userId", "nextAttemptAt", id)
      where status = 'waiting' and "webhookId" is null`.execute(db)
    await sql`create index "deliveriesOfWebhook" on deliveries ("webhookId", "nextAttemptAt", id)
      where status = 'waiting' and "webhookId" is not null`.execute(db)
    await sql`create index "deliveriesLeased" on deliveries ("userId", "leaseUntil")
      where "leaseUntil" is not null`.execute(db)
  },
}
