import { sql, type Kysely } from 'kysely'

const FINGERPRINT =
  "select data_version || ':' || total_changes() as fingerprint from pragma_data_version"

/**
 * Returns a function that reads a database's fingerprint: data_version changes with the writes of other
 * connections, total_changes() with those of its own.
 * @param prepare prepares a statement of the connection that reads
 */
export function createFingerprintReader<Tables>(
  db: Kysely<Tables>,
  prepare: (text: string) => { pluck(): { get(): unknown } },
): () => Promise<string> {
  const statement = prepare(FINGERPRINT).pluck()
  return async () => {
    try {
      return String(statement.get())
    } catch {
      // The database is locked for a moment: this statement waits.
      const { rows } = await sql<{ fingerprint: string }>`${sql.raw(FINGERPRINT)}`.execute(db)
      return rows[0]?.fingerprint ?? ''
    }
  }
}
