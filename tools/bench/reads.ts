import { openDatabase } from '../../src/server/db/open'
import type { Bench } from './bench'
import { addCrowd } from './crowd'
import { atMost } from './goal'
import { interleave } from './interleave'
import type { LoadResult } from './programs/load'
import { repeatRequest, toMilliseconds, type Request } from './rates'
import type { Measured, Row } from './row'
import { median, percentile } from './statistics'
import { openHuge } from './sync-rows'

const KB = 1_000
const CROWD = 10_000
const LISTS = 20

export const readRows: readonly Row[] = [
  {
    number: 13,
    name: 'preview',
    parts: [{ what: 'preview of a file of 1 GB, p50', goal: atMost(5, 'ms') }],
    async measure(bench) {
      const { supplier } = await openHuge(bench)
      const { product, addRetailer } = await bench.stage()
      const { id, rest } = await addRetailer(supplier, 'preview-shop')
      const url = product.url + toQuery('retailers.inventory', { id })
      return [await timeAlone(bench, { url, headers: { cookie: rest.cookie() } }, ({ p50 }) => p50)]
    },
  },
  {
    number: 15,
    name: 'lists',
    parts: [
      { what: 'page of 50 of 10,000 retailers, p50', goal: atMost(10, 'ms') },
      { what: 'until the list of all 10,000 begins, p95', goal: atMost(150, 'ms') },
    ],
    async measure(bench) {
      const { product, dataDir, addSupplier } = await bench.stage()
      const source = await bench.source(100 * KB)
      const { id, rest } = await addSupplier('crowded', source.url)
      const db = openDatabase(`${dataDir}/app.db`)
      await addCrowd(db, id, CROWD)
      await db.destroy()
      const request = (path: string) => ({
        url: product.url + path,
        headers: { cookie: rest.cookie() },
      })
      const page = request(toQuery('retailers.page', { size: 50 }))
      return [
        await timeAlone(bench, page, ({ p50 }) => p50),
        toMilliseconds(percentile(await timeBeginnings(request('/api/retailers')), 0.95)),
      ]
    },
  },
]

/** The path of a query over tRPC. */
const toQuery = (procedure: string, input: object) =>
  `/trpc/${procedure}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }))}`

/** Times a request that is sent over one connection, while nothing else is asked for. */
async function timeAlone(
  bench: Bench,
  request: Request,
  choose: (result: LoadResult) => number,
): Promise<Measured> {
  const send = await repeatRequest(bench, request, 1)
  const [times = []] = await interleave(bench.runs, [async () => choose(await send())])
  return toMilliseconds(median(times))
}

/** The times until the head of a response arrives, which for a list that is not streamed is its end. */
async function timeBeginnings({ url, headers = {} }: Request): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < LISTS; count += 1) {
    const startedAt = performance.now()
    const response = await fetch(url, { headers })
    times.push(performance.now() - startedAt)
    await response.text()
  }
  return times
}
