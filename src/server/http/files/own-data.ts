import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { MAX_CALL_COST } from '../../../shared/constants'
import type { Actor } from '../../domain/actor'
import { toCsvTable } from '../../domain/csv-table'
import type { Deps } from '../../domain/deps'
import { beginOwnData, eachOwnData } from '../../features/operations/personal-data/own-data'
import { asCaller, requireCaller } from '../sessions/caller'
import { registerCsv } from './csv-route'

const JSON_ADDRESS = 'GET /api/account/data.json'

/** Streams what is stored about the caller, as JSON and as CSV. */
export function registerOwnData(app: FastifyInstance, deps: Deps): void {
  const begin = (request: FastifyRequest, actor: Actor) =>
    asCaller(request, actor, () => beginOwnData(deps, actor))
  registerCsv(app, deps, {
    address: 'GET /api/account/data.csv',
    fileName: 'my-data.csv',
    query: z.object({}),
    table: OWN_DATA_CSV,
    pages: (actor) => eachOwnCell(deps, actor),
    onRead: begin,
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: JSON_ADDRESS.replace('GET ', ''),
    config: { cost: MAX_CALL_COST },
    handler: async (request, reply) => {
      const actor = await requireCaller(deps, request, JSON_ADDRESS)
      const isHead = request.method === 'HEAD'
      if (!isHead) await begin(request, actor)
      const content = isHead
        ? undefined
        : Readable.from(toOwnJson(deps, actor), { objectMode: false, highWaterMark: 1 })
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="my-data.json"')
        .header('cache-control', 'private, no-store')
        .header('content-security-policy', 'sandbox')
        .send(content)
    },
  })
}

type Cell = { section: string; record: number; field: string; value: string }

/** A line for each value, because sections have different fields. */
const OWN_DATA_CSV = toCsvTable<Cell>({
  section: ({ section }) => section,
  record: ({ record }) => record,
  field: ({ field }) => field,
  value: ({ value }) => value,
})

/** Yields the same as cells of a table. */
async function* eachOwnCell(deps: Deps, actor: Actor): AsyncGenerator<Cell[]> {
  const counts = new Map<string, number>()
  for await (const { section, records } of eachOwnData(deps, actor)) {
    const before = counts.get(section) ?? 0
    counts.set(section, before + records.length)
    yield records.flatMap((record, index) =>
      Object.entries(record).map(([field, value]) => ({
        section,
        record: before + index + 1,
        field,
        value: toText(value),
      })),
    )
  }
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Yields it as the text of a JSON object: its sections, each with some of its records. */
async function* toOwnJson(deps: Deps, actor: Actor): AsyncGenerator<string> {
  let lead = '{"sections": [\n'
  for await (const page of eachOwnData(deps, actor)) {
    if (page.records.length === 0) continue
    yield `${lead}${JSON.stringify(page, null, 1)}`
    lead = ',\n'
  }
  yield '\n]}\n'
}
