import { sql, type ExpressionBuilder } from 'kysely'

/** The ids of a file that is sent: one of the two. */
export type SentFileIds = { retailerId: number | null; mergedFileId: number | null }

/** Restricts rows of one table to those of a file that is sent. */
export const isOfFile =
  ({ retailerId, mergedFileId }: SentFileIds) =>
  <Tables, Table extends keyof Tables>(eb: ExpressionBuilder<Tables, Table>) => {
    const [column, id] =
      retailerId === null ? ['mergedFileId', mergedFileId] : ['retailerId', retailerId]
    return eb(column as never, '=', id as never)
  }

/** The company that gets a file, of a query that joins `retailers` and `mergedFiles`. */
export const COMPANY_OF_FILE = sql<number>`coalesce("retailers"."userId", "mergedFiles"."userId")`
