import { sql, type Kysely } from 'kysely'

const FINGERPRINT =
  "select data_version || ':' || total_changes() as fingerprint from pragma_data_version"

/** Reads the fingerprint from a connection directly, for each database that has been opened. */
const readers = new WeakMap<object, () => string>()

/** @param prepare prepares a statement of the connection that reads */
export function provideFingerprint(
  db: object,
  prepare: (text: string) => { pluck(): { get(): unknown } },
): void {
  const statement = prepare(FINGERPRINT).pluck()
  readers.set(db, () => String(statement.get()))
}

/**
 * A text that changes with every write to the database, whether by this connection or by another one.
 * Takes microseconds, and reads no table.
 */
export async function readChangeFingerprint<Tables>(db: Kysely<Tables>): Promise<string> {
  try {
    const read = readers.get(db)
    if (read) return read()
  } catch {
    // The database is locked for a moment: the statement below waits.
  }
  const { rows } = await sql<{ fingerprint: string }>`${sql.raw(FINGERPRINT)}`.execute(db)
  return rows[0]?.fingerprint ?? ''
}
