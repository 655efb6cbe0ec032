import { sql, type Kysely } from 'kysely'

import type { ChangedTopics, ChangeFollower } from '../engine'
import { countWrites, type SqliteHandle } from './sqlite-driver'

/** data_version changes with the writes of other connections, total_changes() with those of its own. */
const FINGERPRINT =
  "select data_version || ':' || total_changes() as fingerprint from pragma_data_version"
const NEWEST = 'select coalesce(max("id"), 0) from "changes"'
const SINCE = 'select "id", "topic" from "changes" where "id" > ? order by "id"'

type Change = { id: number; topic: string }

/** How long others' changes are not looked for again: even what tells that there are none takes a while. */
const LOOK_EVERY_MS = 5

/** Looks for changes when it is asked, at most every few milliseconds, and after each write of this process. */
export function createSqliteFollower<Tables>(
  db: Kysely<Tables>,
  { sqlite }: SqliteHandle,
): ChangeFollower {
  // Prepared when first used: the table may have to be created before.
  const statements = new Map<string, ReturnType<SqliteHandle['prepare']>>()
  const prepare = (text: string) => {
    const known = statements.get(text) ?? sqlite.prepare(text)
    statements.set(text, known)
    return known
  }

  const listeners: ((changed: ChangedTopics) => void)[] = []
  let fingerprint: unknown
  let mark: number | undefined
  let lookedAt = -Infinity
  let seenWrites = -1

  function look(): void {
    // Before the changes, so that one that is committed meanwhile is found the next time.
    const seen = prepare(FINGERPRINT).pluck().get()
    if (seen === fingerprint) return
    const changed = readChanged()
    fingerprint = seen
    for (const listener of listeners) listener(changed)
  }

  function readChanged(): ChangedTopics {
    if (mark === undefined) {
      mark = prepare(NEWEST).pluck().get() as number
      return 'all'
    }
    const rows = prepare(SINCE).all(mark) as Change[]
    // Ids have no gaps but where old changes were deleted.
    const isWhole = rows.length === 0 || rows[0]?.id === mark + 1
    mark = rows.at(-1)?.id ?? mark
    return isWhole ? rows.map(({ topic }) => topic) : 'all'
  }

  function isCaughtUp(): boolean {
    const writes = countWrites()
    const now = performance.now()
    if (seenWrites === writes && now - lookedAt < LOOK_EVERY_MS) return true
    // In memory, this connection sees what may still be rolled back.
    if (sqlite.inTransaction) return false
    try {
      look()
      seenWrites = writes
      lookedAt = now
      return true
    } catch {
      // The database is locked for a moment: a statement of `db` waits.
      return false
    }
  }

  return {
    isImmediate: true,
    isCaughtUp,
    async catchUp() {
      while (!isCaughtUp()) await sql.raw(NEWEST).execute(db)
    },
    listen: (listener) => void listeners.push(listener),
  }
}
