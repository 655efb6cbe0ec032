import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

const BATCH = 500
const MASK = '••••••'

type Entry = { id: number; text: string }
type Change = { field: string; before: string | null; after: string | null }

/** Masks the addresses of sources in the audit log, whose path may contain a key. */
export const maskedAuditAddressesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (let after = 0; ;) {
      // Another name than the column's, so that the text is not parsed by today's schema.
      const { rows } = await sql<Entry>`select id, changes || '' as "text" from "auditEntries"
        where noun = 'connection' and id > ${after} and changes like '%"field":"url%'
        order by id limit ${BATCH}`.execute(db)
      for (const { id, text } of rows) {
        const changes = (JSON.parse(text) as Change[]).map(maskChange)
        await sql`update "auditEntries" set changes = ${JSON.stringify(changes)}
          where id = ${id}`.execute(db)
      }
      if (rows.length < BATCH) return
      after = rows.at(-1)?.id ?? after
    }
  },
}

function maskChange(change: Change): Change {
  if (change.field !== 'url') return change
  return { ...change, before: mask(change.before), after: mask(change.after) }
}

function mask(address: string | null): string | null {
  if (address === null) return null
  return URL.canParse(address) ? `${new URL(address).origin}/${MASK}` : MASK
}
