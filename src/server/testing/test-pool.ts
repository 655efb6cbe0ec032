import type { PostgresPool, PostgresPoolClient } from 'kysely'

const WRITING = 'start transaction isolation level serializable'

/** A pool whose write transactions can be made to fail, as those on a full disk do. */
export type TestPool = PostgresPool & { setReadOnly(isReadOnly: boolean): void }

/**
 * A pool that refuses every other commit of a write transaction, as PostgreSQL does after a conflict
 * with a concurrent one. What is not right when it is run twice then fails its test.
 */
export function refuseCommits(pool: PostgresPool): TestPool {
  let isNextRefused = true
  let isReadOnly = false
  const wrap = (client: PostgresPoolClient): PostgresPoolClient => {
    let isWriting = false
    const query = (text: string, parameters: readonly unknown[]) => {
      if (text === WRITING) {
        isWriting = true
        return client.query(isReadOnly ? `${text} read only` : text, parameters)
      }
      if (text !== 'commit' || !isWriting) return client.query(text, parameters)
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
