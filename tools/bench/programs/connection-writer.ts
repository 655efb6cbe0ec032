// Changes connections of a database, so many a second, until it is ended.
import { setTimeout as sleep } from 'node:timers/promises'

import { inTransaction, openDatabase } from '../../../src/server/db/open'
import { openPostgres } from '../../../src/server/db/postgres/open-postgres'

const BATCHES_PER_SECOND = 20

const [address = '', rate = ''] = process.argv.slice(2)
const db = address.startsWith('postgres')
  ? openPostgres(address, () => undefined)
  : openDatabase(address)
const ids = (await db.selectFrom('connections').select('id').execute()).map(({ id }) => id)
process.on('disconnect', () => process.exit())
process.send?.({})
for (let dueAt = performance.now(); ;) {
  for (let count = 0; count < Number(rate) / BATCHES_PER_SECOND; count += 1) {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? 0
    await inTransaction(db, (trx) =>
      trx
        .updateTable('connections')
        .set({ lastAttemptAt: Date.now() })
        .where('id', '=', id)
        .execute(),
    )
  }
  dueAt += 1_000 / BATCHES_PER_SECOND
  await sleep(Math.max(0, dueAt - performance.now()))
}
