import type { PostgresPool, PostgresPoolClient } from 'kysely'

/** How write transactions and claims begin. */
const WRITING = /^start transaction isolation level (?:serializable|read committed)$/

/** A pool whose write transactions can be made to fail, as those on a full disk do. */
export type TestPool = PostgresPool & { setReadOnly(isReadOnly: boolean): void }

/**
 * A pool that does what PostgreSQL rarely does, so that what relies on its not happening fails its test:
 * it refuses every other commit of a write transaction, as after a conflict with a concurrent one, and
 * returns rows without an order in an unexpected one.
 */
export function createTestPool(pool: PostgresPool): TestPool {
  let isNextRefused = true
  let isReadOnly = false
  const wrap = (client: PostgresPoolClient): PostgresPoolClient => {
    let isWriting = false
    const query = (text: string, parameters: readonly unknown[]) => {
      if (WRITING.test(text)) {
        isWriting = true
        return client.query(isReadOnly ? `${text} read only` : text, parameters)
      }
      if (text !== 'commit' || !isWriting) return reverseUnordered(client, text, parameters)
      isNextRefused = !isNextRefused
      if (isNextRefused) return client.query(text, parameters)
      const refusal = new Error('This commit is refused by the test')
      return Promise.reject(Object.assign(refusal, { code: '40001' }))
    }
    return { ...client, query: query as PostgresPoolClient['query'] }
  }
  return {
    connect: async () => wrap(await pool.connect()),
    end: () => pool.end(),
    setReadOnly: (next) => void (isReadOnly = next),
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
