import BetterSqlite3 from 'better-sqlite3'

import { codeOf } from '../../process/error-code'

/**
 * Locks a database file exclusively for this process; the system releases the lock when the process
 * ends, for whatever reason. Creates the file if there is none.
 * @returns a function that releases the lock; undefined while another process has the file open
 * @throws SqliteError for a file that is not a database
 */
export function lockDatabase(file: string): (() => void) | undefined {
  const sqlite = new BetterSqlite3(file, { timeout: 0 })
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE')
    sqlite.exec('begin exclusive')
    return () => sqlite.close()
  } catch (error) {
    sqlite.close()
    if (codeOf(error) === 'SQLITE_BUSY') return undefined
    throw error
  }
}
