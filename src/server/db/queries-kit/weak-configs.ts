import { sql } from 'kysely'

import type { Db } from '../open'

const OPEN = '{"url":"ftp://%"usesTls":false%'
const OLD = '%"allowsOld":true%'

/** How many are reached without encryption, and how many accept old encryption. */
export type WeakCounts = { open: number; old: number }

/** Counts the rows with an address, in one of these columns, whose files others can read and change on their way. */
export async function countWeakConfigs(
  db: Db,
  table: 'connections' | 'destinations',
  columns: readonly ('config' | 'overlay')[],
): Promise<WeakCounts> {
  const countOf = (pattern: string) => {
    const isLike = columns.map((column) => sql`${sql.ref(column)} like ${pattern}`)
    return sql`count(*) filter (where ${sql.join(isLike, sql` or `)})`
  }
  const { rows } = await sql<Record<keyof WeakCounts, number | string>>`
    select ${countOf(OPEN)} as open, ${countOf(OLD)} as old from ${sql.table(table)}`.execute(db)
  return { open: Number(rows[0]?.open ?? 0), old: Number(rows[0]?.old ?? 0) }
}
