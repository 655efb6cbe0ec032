import { sql } from 'kysely'

import { inTransaction, type Db } from '../../src/server/db/open'

/** Adds many retailers that see all products to a supplier. */
export async function addCrowd(db: Db, supplierId: number, count: number): Promise<void> {
  const prefix = `crowd-${supplierId}-`
  await inTransaction(db, async (trx) => {
    await sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count})
      insert into users (username, usernameKey, role, createdAt)
      select ${prefix} || n, ${prefix} || n, 'RETAILER', n from counted`.execute(trx)
    const { numAffectedRows } =
      await sql`insert into retailers (userId, supplierId, storeName, syncFrequencyMinutes, createdAt)
      select id, ${supplierId}, username || ' store', 0, createdAt
      from users where username like ${`${prefix}%`}`.execute(trx)
    if (Number(numAffectedRows) !== count)
      throw new Error(`${numAffectedRows} retailers were added`)
  })
}
