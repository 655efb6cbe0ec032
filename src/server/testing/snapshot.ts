import { sql } from 'kysely'

import { readChangeFingerprint } from '../db/change-fingerprint'
import { listTables } from '../db/copy-rows'
import { engineOf } from '../db/engine'
import { inTransaction, type Db } from '../db/open'

/** The rows of all tables, by table. */
export type Snapshot = Record<string, Record<string, unknown>[]>

/** Tables that refused calls change on purpose: failures are counted and recorded. */
const IGNORED = new Set(['attempts', 'auditEntries'])

const lastSnapshots = new WeakMap<Db, { fingerprint: string; snapshot: Snapshot }>()

/** All rows of all tables that a refused call must not change; read only if any have changed. */
export async function takeSnapshot(db: Db): Promise<Snapshot> {
  const fingerprint = await readChangeFingerprint(db)
  const last = lastSnapshots.get(db)
  if (last?.fingerprint === fingerprint) return last.snapshot
  const snapshot = await readTables(db)
  lastSnapshots.set(db, { fingerprint, snapshot })
  return snapshot
}

async function readTables(db: Db): Promise<Snapshot> {
  const snapshot: Snapshot = {}
  for (const { name } of await listTables(db)) {
    if (IGNORED.has(name)) continue
    const all = sql<Record<string, unknown>>`select * from ${sql.table(name)}`
    snapshot[name] = (await all.execute(db)).rows
  }
  return snapshot
}

/** Restores the rows of all tables. Tables that are not in the snapshot are emptied. */
export async function restoreSnapshot(db: Db, snapshot: Snapshot): Promise<void> {
  const tables = await listTables(db)
  await inTransaction(db, async (trx) => {
    await engineOf(db).tables.deferReferences(trx)
    for (const { name } of tables) await sql`delete from ${sql.table(name)}`.execute(trx)
    for (const [name, rows] of Object.entries(snapshot)) {
      for (const row of rows) {
        const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
        const values = sql.join(Object.values(row))
        const insert = sql`insert into ${sql.table(name)} (${columns}) values (${values})`
        await insert.execute(trx)
      }
    }
  })
}
