import BetterSqlite3 from 'better-sqlite3'

import { listNamedFiles, measureNamedFiles } from '../database-content'
import { engineOf } from '../engine'
import { listMigrations, migrateToEarlier } from '../migrate'
import { openDatabase, type Db } from '../open'
import { copyRows } from '../queries-kit/copy-rows'
import type { Snapshots } from '../snapshots'

/** Snapshots of a PostgreSQL database: SQLite databases with the rows that it has at one instant. */
export function createPostgresSnapshots(db: Db): Snapshots {
  return {
    async measure() {
      const sizeBytes = await engineOf(db).measureBytes()
      return { sizeBytes, ...(await measureNamedFiles(db)) }
    },
    listFiles: () => listNamedFiles(db),
    async write(target, signal) {
      signal.throwIfAborted()
      const { done } = await listMigrations(db)
      const copy = openDatabase(target)
      try {
        await migrateToEarlier(copy, done.length)
        await copyRows(db, copy, signal)
      } finally {
        await copy.destroy()
      }
      makeSingleFile(target)
    },
  }
}

/** Without a write-ahead log, the database can be read where nothing can be written. */
function makeSingleFile(path: string): void {
  const sqlite = new BetterSqlite3(path)
  sqlite.pragma('journal_mode = DELETE')
  sqlite.close()
}
