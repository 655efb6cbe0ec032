import { sql, type DeleteResult } from 'kysely'

type Query<Row> = { executeTakeFirstOrThrow(): Promise<Row> }

/** To be selected by a query for `countRows`. */
export const COUNT = sql<number>`count(*)`.as('count')

/** How many rows a query matches that selects `COUNT`. */
export const countRows = async (query: Query<{ count: number }>): Promise<number> =>
  (await query.executeTakeFirstOrThrow()).count

/** The id of the row that an insert returns. */
export const insertedId = async (insert: Query<{ id: number }>): Promise<number> =>
  (await insert.executeTakeFirstOrThrow()).id

/** How many rows a statement deletes. */
export const countDeleted = async (statement: Query<DeleteResult>): Promise<number> =>
  Number((await statement.executeTakeFirstOrThrow()).numDeletedRows)
