import BetterSqlite3 from 'better-sqlite3'

/**
 * Takes a database file for this process alone; the system gives it back when the process ends,
 * however it ends. The file is created where there is none.
 * @returns a function that gives it back; undefined while any process has the file open
 * @throws SqliteError for a file that is no database
 */
export function lockDatabase(file: string): (() => void) | undefined {
  const sqlite = new BetterSqlite3(file, { timeout: 0 })
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE')
    sqlite.exec('begin exclusive')
    return () => sqlite.close()
  } catch (error) {
    sqlite.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw error
  }
}
