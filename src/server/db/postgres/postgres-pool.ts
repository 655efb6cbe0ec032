import { createHash } from 'node:crypto'

import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Pool, types, type PoolClient, type PoolConfig, type QueryResult } from 'pg'

import { MINUTE_MS } from '../../../shared/durations'
import { codeOf } from '../../process/error-code'
import { decodeRows, encodeValue } from '../codec'
import { UnreachableDatabaseError } from '../open'

/** A request waits this long for a free connection, or for the server to answer a new one. */
const CONNECT_WITHIN_MS = 10_000
/** The server ends what a process left open that froze in the middle of a transaction. */
const IDLE_IN_TRANSACTION_MS = MINUTE_MS
const MAX_CONNECTIONS = 10

/** How Kysely begins transactions, without and with an isolation level. */
const BEGIN = /^(?:begin$|start transaction)/

/** PostgreSQL's code of a transaction that has to be run again. */
const CONFLICT = '40001'
/** Its codes of a plan whose table has got a column since, and of names that poolers have mixed up. */
const CHANGED_PLAN = '0A000'
const UNKNOWN_NAMES = new Set(['26000', '42P05'])
/** Of the hash of a statement in its name, which has at most 63 characters. */
const HASH_DIGITS = 32

const { builtins } = types
/** How values arrive as they do from SQLite: all numbers as such, conditions as 0 or 1. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.BOOL, (text) => Number(text === 't')],
])

const parsers: PoolConfig['types'] = {
  getTypeParser: (oid: number, format: 'text' | 'binary' = 'text') =>
    PARSERS.get(oid) ?? types.getTypeParser(oid, format),
}

export type NamingPool = PostgresPool & {
  /**
   * Lets a statement be parsed once for each connection, and usually planned once: it is executed again and again.
   * A transaction whose statement is refused by its name fails as after a conflict, so that it is run again.
   */
  nameStatement(text: string): void
}

/**
 * A pool of connections whose values are those of the product: see `codec.ts`.
 * @param onError told of connections that broke while no statement ran; they are replaced
 */
export function createPostgresPool(url: string, onError: (error: Error) => void): NamingPool {
  const pool = new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    application_name: 'stockbridge',
    types: parsers,
  })
  // Without a listener, a connection that breaks between two statements would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  pool.on('error', () => undefined)
  const names = createStatementNames()
  return {
    connect: async () => translateValues(await pool.connect().catch(throwUnreachable), names),
    end: () => pool.end(),
    options: pool.options,
    nameStatement: names.add,
  }
}

function translateValues(client: PoolClient, names: StatementNames): PostgresPoolClient {
  let isInTransaction = false
  async function send(text: string, values: unknown[]): Promise<QueryResult> {
    const name = names.find(text)
    if (name === undefined) return client.query(text, values)
    try {
      return await client.query({ name, text, values })
    } catch (cause) {
      if (!names.isRefused(name, cause)) throw cause
      if (!isInTransaction) return client.query(text, values)
      const error = new Error('A statement was refused by its name', { cause })
      throw Object.assign(error, { code: CONFLICT, severity: 'ERROR' })
    }
  }
  const query = async (text: string, parameters: readonly unknown[]) => {
    if (BEGIN.test(text)) isInTransaction = true
    const result = await send(text, parameters.map(toParameter)).catch((error: unknown) => {
      throw isLost(error)
        ? new UnreachableDatabaseError('Its connection broke', { cause: error })
        : error
    })
    if (text === 'commit' || text === 'rollback') isInTransaction = false
    decodeRows(result.rows)
    return result
  }
  return {
    // Without cursors, which the product does not use.
    query: query as unknown as PostgresPoolClient['query'],
    // Kysely destroys a connection that it could not roll back.
    release: (isDestroyed) => client.release(isDestroyed),
  }
}

type StatementNames = ReturnType<typeof createStatementNames>

/** The names of statements, by their texts, so that connections which a pooler shares know the same ones. */
function createStatementNames() {
  const names = new Map<string, string>()
  let generation = 0
  let isUsed = true
  const name = (text: string) => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS)
    names.set(text, `stockbridge_${generation}_${hash}`)
  }
  return {
    add(text: string): void {
      if (!names.has(text)) name(text)
    },
    find: (text: string) => (isUsed ? names.get(text) : undefined),
    /** Whether an error is about the name; then it is not used again. */
    isRefused(refused: string, error: unknown): boolean {
      const code = codeOf(error)
      if (UNKNOWN_NAMES.has(code)) isUsed = false
      else if (code !== CHANGED_PLAN) return false
      else if (refused.startsWith(`stockbridge_${generation}_`)) {
        generation += 1
        for (const text of names.keys()) name(text)
      }
      return true
    },
  }
}

function throwUnreachable(cause: unknown): never {
  throw new UnreachableDatabaseError('It cannot be connected to', { cause })
}

/** Whether an error is about the connection: only the server's own errors have a severity. */
function isLost(error: unknown): boolean {
  const { severity } = error as { severity?: string }
  return severity === undefined || severity === 'FATAL' || codeOf(error).startsWith('08')
}

/** PostgreSQL's texts cannot contain the character NUL; what takes its place is equal to no name. */
function toParameter(value: unknown): unknown {
  const encoded = encodeValue(value)
  return typeof encoded === 'string' ? encoded.replaceAll('\0', '\uFFFD') : encoded
}
