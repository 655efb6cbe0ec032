import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'

import { until } from '../../src/e2e/support/rest-client'
import { inTransaction, type Db } from '../../src/server/db/open'

/** Connections that sync, each from an address of its own, since a host gets two requests at a time. */
export const SOURCES = 100
export const RETAILERS_EACH = 10
const PREFIX = 'grown-'
/** Of their connections. */
const NAME = 'Grown'
const YEAR_MS = 365 * 24 * 60 * 60_000

/** Adds suppliers with a connection and ten retailers each until there are `count`; none is due. */
export async function growTo(db: Db, count: number, sourcePort: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    const from = (await countSuppliers(trx)) + 1
    if (from > count) return
    const numbers = sql`generate_series(${from}::bigint, ${count}::bigint) as number`
    await sql`insert into users (username, "usernameKey", role, "companyName", "createdAt")
      select ${PREFIX} || number, ${PREFIX} || number, 'SUPPLIER', 'Company ' || number, 1
      from ${numbers}`.execute(trx)
    const url = sql`'http://127.0.0.' || (1 + number % ${SOURCES}) || ':' || ${sourcePort}::bigint || '/changing.csv'`
    await sql`insert into connections ("supplierId", name, type, config, "fileFormat",
        "syncFrequencyMinutes", "nextSyncAt", "createdAt")
      select users.id, ${NAME}, 'URL', json_build_object('url', ${url})::text, 'CSV', 1440,
        ${Date.now() + YEAR_MS}::bigint, 1
      from ${numbers} join users on "usernameKey" = ${PREFIX} || number`.execute(trx)
    const shops = sql`${numbers} cross join generate_series(1, ${sql.lit(RETAILERS_EACH)}) as shop`
    const name = sql`${PREFIX} || number || '-shop-' || shop`
    await sql`insert into users (username, "usernameKey", role, "createdAt")
      select ${name}, ${name}, 'RETAILER', 1 from ${shops}`.execute(trx)
    await sql`insert into retailers ("userId", "supplierId", "storeName", "syncFrequencyMinutes", "createdAt")
      select login.id, supplier.id, login.username, 60, 1
      from ${shops} join users as login on login."usernameKey" = ${name}
      join users as supplier on supplier."usernameKey" = ${PREFIX} || number`.execute(trx)
  })
  await sql`analyze`.execute(db)
}

async function countSuppliers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('usernameKey', 'like', `${PREFIX}%`)
    .where('role', '=', 'SUPPLIER')
    .executeTakeFirstOrThrow()
  return count
}

/** Connections that have synced are made due again so often. */
const SYNC_AGAIN_EVERY_MS = 200
const STOPPED_WITHIN_MS = 120_000

/** Keeps connections due. @returns what ends that, and waits until none is syncing any more */
export function keepSyncing(db: Db): () => Promise<void> {
  const end = new AbortController()
  const again = (async () => {
    while (!end.signal.aborted) {
      await syncAgain(db)
      await sleep(SYNC_AGAIN_EVERY_MS)
    }
  })()
  return async () => {
    end.abort()
    await again
    await until(
      () => stopSyncs(db),
      (running) => running === 0,
      STOPPED_WITHIN_MS,
    )
  }
}

/** Makes the first of these connections due, but for those that are syncing. */
async function syncAgain(db: Db): Promise<void> {
  const first = db
    .selectFrom('connections')
    .select('id')
    .where('name', '=', NAME)
    .orderBy('id')
    .limit(SOURCES)
  await db
    .updateTable('connections')
    .set({ nextSyncAt: Date.now() })
    .where('id', 'in', first)
    .where('leaseToken', 'is', null)
    .where('nextSyncAt', '>', Date.now())
    .execute()
}

/** Makes no connection due any more, and tells how many are still syncing. */
async function stopSyncs(db: Db): Promise<number> {
  const idle = db.updateTable('connections').set({ nextSyncAt: Date.now() + YEAR_MS })
  await idle.where('leaseToken', 'is', null).where('name', '=', NAME).execute()
  const { count } = await db
    .selectFrom('connections')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('leaseToken', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function countFinishedRuns(
  db: Db,
  outcome: 'published' | 'unchanged' = 'published',
): Promise<number> {
  const { count } = await db
    .selectFrom('syncRuns')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('outcome', '=', outcome)
    .executeTakeFirstOrThrow()
  return count
}
