import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'

import { MAX_CALL_COST } from '../../../shared/constants'
import { apiRoutes, type AddressOf } from '../../api/api-routes'
import type { ListRoute } from '../../api/define-routes'
import type { Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { eachConnection } from '../../features/catalogue/connections/connections'
import { eachRetailer } from '../../features/distribution/retailers/retailers'
import { eachSupplier } from '../../features/operations/suppliers/suppliers'
import { requireCaller } from '../sessions/caller'

/** The rule that reads an unpaged list. */
type ReadList = (deps: Deps, actor: Actor) => AsyncGenerator<unknown[]>

type ListAddress = AddressOf<ListRoute>

const lists: Record<ListAddress, ReadList> = {
  'GET /api/suppliers': eachSupplier,
  'GET /api/retailers': eachRetailer,
  'GET /api/connections': eachConnection,
}

/** The maximum cost, because the length of a list is unknown in advance. */
const LONG = { config: { cost: MAX_CALL_COST } }

/** A buffer of one page: the next is read when the previous one has been handed to the socket. */
const ONE_PAGE = { objectMode: false, highWaterMark: 1 }

/**
 * Registers the lists, which are streamed so that only a few rows are in memory at a time. The
 * screens use tRPC instead, which has pages.
 */
export function registerLists(app: FastifyInstance, deps: Deps): void {
  for (const [address, read] of Object.entries(lists) as [ListAddress, ReadList][]) {
    const { rows } = apiRoutes[address]
    app.get(address.replace('GET ', ''), LONG, async (request: FastifyRequest, reply) => {
      const actor = await requireCaller(deps, request, address)
      const texts = toJson(read(deps, actor), rows)
      // Read before anything is sent, so that a failure here becomes an error response.
      const first = await texts.next()
      const body = startingWith(first.value ?? '', texts)
      return reply.type('application/json; charset=utf-8').send(Readable.from(body, ONE_PAGE))
    })
  }
}

/** The text of a JSON array, page by page. */
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
