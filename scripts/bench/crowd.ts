import { sql } from 'kysely'

import { inTransaction, type Db } from '../../src/server/db/open'

/** Adds many retailers that see all products to a supplier. */
export async function addCrowd(db: Db, supplierId: number, count: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count})
      insert into users (username, usernameKey, role, createdAt)
      select 'crowd-' || ${supplierId} || '-' || n, 'crowd-' || ${supplierId} || '-' || n, 'RETAILER', n
      from counted`.execute(trx)
    await sql`insert into retailers (userId, supplierId, storeName, syncFrequencyMinutes, createdAt)
      select id, ${supplierId}, username || ' store', 0, createdAt
      from users where username like ${`crowd-${supplierId}-%`}`.execute(trx)
  })
}
