import { createQueryId, SqliteQueryCompiler, type KyselyPlugin } from 'kysely'

import { engineOf, setEngine } from '../../db/engine'
import type { Db } from '../../db/open'

/** A database that adds each statement to `statements`, without its values. */
export function recordStatements(db: Db, statements: string[]): Db {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(new SqliteQueryCompiler().compileQuery(node, createQueryId()).sql)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const recorded = db.withPlugin(plugin)
  setEngine(recorded, engineOf(db))
  return recorded
}
