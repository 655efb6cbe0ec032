import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'

import { MAX_CALL_COST } from '../../../shared/constants'
import type { GuardedAddress } from '../../api/route-roles'
import type { Actor } from '../../domain/actor'
import type { CsvTable } from '../../domain/csv-table'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { readParams } from '../api/rest'
import { requireCaller } from '../sessions/caller'

/** A buffer of one page: the next is read when the previous one has been handed to the socket. */
const ONE_PAGE = { objectMode: false, highWaterMark: 1 }

interface CsvRoute<Row, Filter> {
  address: GuardedAddress & `GET ${string}`
  fileName: string
  /** Of what the query has, and of the parameters of the path. */
  query: z.ZodType<Filter>
  table: CsvTable<Row>
  /** The rows that the caller may see, page by page. */
  pages: (actor: Actor, filter: Filter) => AsyncGenerator<Row[]>
  /** Is awaited before the first row is sent. */
  onRead?: (request: FastifyRequest, actor: Actor, filter: Filter) => Promise<void>
}

/** Streams a list as CSV, with the filters of its page. */
export function registerCsv<Row, Filter>(
  app: FastifyInstance,
  deps: Deps,
  { address, fileName, query, table, pages, onRead }: CsvRoute<Row, Filter>,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: address.replace('GET ', ''),
    config: { cost: MAX_CALL_COST },
    handler: async (request, reply) => {
      const actor = await requireCaller(deps, request, address)
      const filter = query.safeParse({ ...(request.query as object), ...readParams(request) })
      if (!filter.success) {
        const isOfPath = filter.error.issues.some(({ path: [name] }) => name === 'id')
        throw new DomainError('INVALID', `The ${isOfPath ? 'id' : 'filter'} is not valid`)
      }
      const isHead = request.method === 'HEAD'
      if (!isHead) await onRead?.(request, actor, filter.data)
      const content = isHead ? undefined : await toCsv(table, pages(actor, filter.data))
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('cache-control', 'private, no-store')
        .header('content-security-policy', 'sandbox')
        .send(content)
    },
  })
}

/** Reads the first page at once: what fails there is still answered with its status. */
async function toCsv<Row>(table: CsvTable<Row>, pages: AsyncGenerator<Row[]>): Promise<Readable> {
  const first = await pages.next()
  async function* write() {
    yield table.header
    if (first.done) return
    yield first.value.map(table.toLine).join('')
    for await (const rows of pages) yield rows.map(table.toLine).join('')
  }
  return Readable.from(write(), ONE_PAGE)
}
