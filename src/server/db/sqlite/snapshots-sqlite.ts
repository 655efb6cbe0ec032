import { readDatabaseContent, readNamedFiles } from '../database-content'
import type { Snapshots } from '../snapshots'
import { runSqlInThread } from './sql-thread'

/** Snapshots of an SQLite database in a file; those in memory are not supported. */
export function createSqliteSnapshots(databaseFile: string): Snapshots {
  return {
    measure: (signal) => readDatabaseContent(databaseFile, signal),
    listFiles: async (signal) => (await readNamedFiles(databaseFile, [''], signal)).flat(),
    async write(target, signal) {
      await runSqlInThread(databaseFile, [{ sql: 'vacuum into ?', parameters: [target] }], signal)
    },
  }
}
