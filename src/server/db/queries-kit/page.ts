import { sql, type Expression, type SqlBool } from 'kysely'

import { DEFAULT_PAGE_SIZE, type PageSize } from '../../../shared/constants'
import { toLowerAscii } from './expressions'

/** Search, order, page and its size of a list; see `pageInput`. */
export type PageRequest = {
  q: string
  sort?: string | undefined
  page: number
  size?: PageSize
}

/** True for rows in which every word of `q` occurs somewhere in `columns`, regardless of ASCII case. */
export function matchesSearch(q: string, columns: readonly string[]): Expression<SqlBool> {
  const words = toLowerAscii(q).split(/\s+/).filter(Boolean)
  const conditions = words.map((word) => {
    const pattern = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const text = sql.join(
      columns.map((column) => sql`coalesce(${sql.ref(column)}, '')`),
      sql` || ' ' || `,
    )
    return sql`lower(${text}) like ${pattern} escape '\\'`
  })
  return conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql`true`
}

/** Orders by `sort`, with nulls last in both directions, then by `id`. */
export function inOrder(
  sort: string | undefined,
  values: Readonly<Record<string, Expression<unknown>>>,
  id: string,
): Expression<unknown> {
  const value = values[sort?.replace(/^-/, '') ?? '']
  if (!value) return sql`${sql.ref(id)} asc`
  const direction = sort?.startsWith('-') ? sql`desc` : sql`asc`
  return sql`${value} is null, ${value} ${direction}, ${sql.ref(id)} asc`
}

/** The rows of a page; a page beyond the last one is treated as the last one. */
export function locatePage({ page, size = DEFAULT_PAGE_SIZE }: PageRequest, matchCount: number) {
  const pageCount = Math.max(1, Math.ceil(matchCount / size))
  const located = Math.min(page, pageCount)
  return { page: located, pageCount, limit: size, offset: (located - 1) * size }
}

/**
 * Yields all rows in the order of their ids, in pages of `size` rows. No statement stays open between
 * pages, and a slow consumer has only one page in memory.
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
