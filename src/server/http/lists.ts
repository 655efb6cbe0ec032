import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'

import { MAX_CALL_COST, ROLES, type Role } from '../../shared/constants'
import { connectionSchema } from '../../shared/schemas/connection'
import { retailerSchema } from '../../shared/schemas/retailer'
import { userSchema } from '../../shared/schemas/user'
import { requireRole, type Actor } from '../domain/actor'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { eachConnection } from '../features/connections/connections'
import { eachRetailer } from '../features/retailers/retailers'
import { eachSupplier } from '../features/suppliers/suppliers'
import { readActor } from './session'

/** A list without pages: who may ask, and the rule that reads it. */
type ListRow = {
  path: string
  roles: readonly Role[]
  row: z.ZodType
  read(deps: Deps, actor: Actor): AsyncGenerator<unknown[]>
}

const listRows: readonly ListRow[] = [
  { path: '/api/suppliers', roles: ['SUPER_ADMIN'], row: userSchema, read: eachSupplier },
  { path: '/api/retailers', roles: ROLES, row: retailerSchema, read: eachRetailer },
  {
    path: '/api/connections',
    roles: ['SUPPLIER', 'SUPER_ADMIN'],
    row: connectionSchema,
    read: eachConnection,
  },
]

/** As dear as any call: nobody can say how long they are. */
const LONG = { config: { cost: MAX_CALL_COST } }

/** The next page is read when the one before is on its way. */
const ONE_PAGE = { objectMode: false, highWaterMark: 1 }

/** However long they are, a few rows are in memory at a time; over tRPC the screens ask for pages. */
export function registerLists(app: FastifyInstance, deps: Deps): void {
  for (const { path, roles, row, read } of listRows) {
    app.get(path, LONG, async (request: FastifyRequest, reply) => {
      const actor = await readActor(deps, request)
      if (!actor) throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
      requireRole(actor, roles)
      const texts = toJson(read(deps, actor), row)
      // Read before anything is sent: what fails here is answered as an error.
      const first = await texts.next()
      const body = startingWith(first.value ?? '', texts)
      return reply.type('application/json; charset=utf-8').send(Readable.from(body, ONE_PAGE))
    })
  }
}

/** A JSON array, page by page. */
async function* toJson(
  pages: AsyncGenerator<unknown[]>,
  row: z.ZodType,
): AsyncGenerator<string, undefined> {
  let lead = '['
  for await (const page of pages) {
    yield lead + page.map((item) => JSON.stringify(row.parse(item))).join(',')
    lead = ','
  }
  yield lead === '[' ? '[]' : ']'
  return undefined
}

async function* startingWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}
