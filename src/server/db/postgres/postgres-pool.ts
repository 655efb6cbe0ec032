import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Pool, types, type PoolClient, type PoolConfig } from 'pg'

import { MINUTE_MS } from '../../../shared/durations'
import { codeOf } from '../../process/error-code'
import { decodeRows, encodeValue } from '../codec'
import { UnreachableDatabaseError } from '../open'

/** A request waits this long for a free connection, or for the server to answer a new one. */
const CONNECT_WITHIN_MS = 10_000
/** The server ends what a process left open that froze in the middle of a transaction. */
const IDLE_IN_TRANSACTION_MS = MINUTE_MS
const MAX_CONNECTIONS = 10

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

/**
 * A pool of connections whose values are those of the product: see `codec.ts`.
 * @param onError told of connections that broke while no statement ran; they are replaced
 */
export function createPostgresPool(url: string, onError: (error: Error) => void): PostgresPool {
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
  return {
    connect: async () => translateValues(await pool.connect().catch(throwUnreachable)),
    end: () => pool.end(),
    options: pool.options,
  }
}

function translateValues(client: PoolClient): PostgresPoolClient {
  const query = async (text: string, parameters: readonly unknown[]) => {
    const result = await client.query(text, parameters.map(toParameter)).catch((error: unknown) => {
      throw isLost(error)
        ? new UnreachableDatabaseError('Its connection broke', { cause: error })
        : error
    })
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
