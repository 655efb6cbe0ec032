import { sql, type Expression, type SqlBool } from 'kysely'

import { PAGE_SIZE } from '../../shared/schemas/page'

/** How a list is looked at; see `pageInput`. */
export type PageView = { q: string; sort?: string | undefined; page: number }

/** True for rows in which every word of `q` stands somewhere in `columns`, whatever its case. */
export function matchesSearch(q: string, columns: readonly string[]): Expression<SqlBool> {
  const words = q.split(/\s+/).filter(Boolean)
  const conditions = words.map((word) => {
    const pattern = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const text = sql.join(
      columns.map((column) => sql`coalesce(${sql.ref(column)}, '')`),
      sql` || ' ' || `,
    )
    return sql`(${text}) like ${pattern} escape '\\'`
  })
  return conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql`true`
}

/** Empty cells stay at the end in both directions; `id` settles what is equal. */
export function inOrder(
  sort: string | undefined,
  columns: Readonly<Record<string, string>>,
  id: string,
): Expression<unknown> {
  const column = columns[sort?.replace(/^-/, '') ?? '']
  if (!column) return sql`${sql.ref(id)} asc`
  const direction = sort?.startsWith('-') ? sql`desc` : sql`asc`
  const ref = sql.ref(column)
  return sql`${ref} is null, ${ref} collate nocase ${direction}, ${sql.ref(id)} asc`
}

/** Which rows a page has: a page beyond the last one is the last one. */
export function locatePage(page: number, matchCount: number) {
  const pageCount = Math.max(1, Math.ceil(matchCount / PAGE_SIZE))
  const located = Math.min(page, pageCount)
  return { page: located, pageCount, limit: PAGE_SIZE, offset: (located - 1) * PAGE_SIZE }
}

/**
 * All rows in the order of their ids, so many at a time: nothing stays open in between, and whoever
 * takes them slowly holds one page.
 */
export async function* inPages<Row extends { id: number }>(
  size: number,
  readAfter: (id: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = 0; ;) {
    const page = await readAfter(after)
    const last = page.at(-1)
    if (!last) return
    yield page
    if (page.length < size) return
    after = last.id
  }
}
