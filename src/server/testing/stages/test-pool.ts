import type { PostgresPoolClient } from 'kysely'

import type { NamingPool } from '../../db/postgres/postgres-pool'

/** How write transactions and claims begin. */
const WRITING = /^start transaction isolation level (?:serializable|read committed)$/

export type TestPool = NamingPool & {
  /** Lets write transactions fail, as on a full disk; or no longer. */
  setReadOnly(isReadOnly: boolean): void
  /** To be called between tests. */
  forget(): void
}

/**
 * A pool that does what PostgreSQL rarely does, so that what relies on its not happening fails its test:
 * it refuses the first commit of write transactions with the same statements, as after a conflict with a
 * concurrent one, and returns rows without an order in an unexpected one.
 */
export function createTestPool(pool: NamingPool): TestPool {
  /** The statements of the transactions that have been refused. */
  const refused = new Set<string>()
  let isReadOnly = false
  const wrap = (client: PostgresPoolClient): PostgresPoolClient => {
    let isWriting = false
    let statements = ''
    const query = (text: string, parameters: readonly unknown[]) => {
      if (WRITING.test(text)) {
        isWriting = true
        statements = ''
        return client.query(isReadOnly ? `${text} read only` : text, parameters)
      }
      if (text !== 'commit' || !isWriting) {
        if (isWriting) statements += text
        return reverseUnordered(client, text, parameters)
      }
      if (refused.has(statements)) return client.query(text, parameters)
      refused.add(statements)
      const refusal = new Error('This commit is refused by the test')
      return Promise.reject(Object.assign(refusal, { code: '40001' }))
    }
    return { ...client, query: query as PostgresPoolClient['query'] }
  }
  return {
    ...pool,
    connect: async () => wrap(await pool.connect()),
    setReadOnly: (next) => void (isReadOnly = next),
    forget: () => refused.clear(),
  }
}

async function reverseUnordered(
  client: PostgresPoolClient,
  text: string,
  parameters: readonly unknown[],
) {
  const result = await client.query<never>(text, parameters)
  if (!text.includes('order by')) result.rows.reverse()
  return result
}
