import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { timeResponses } from '../../src/e2e/support/response-times'
import { hostileFiles } from '../../src/server/testing/suites/hostile/hostile-files'
import type { Bench } from './bench'
import { atMost, formatNumber } from './goal'
import { interleave } from './interleave'
import { syncOnce, trySync, type Supplier } from './people'
import type { Row } from './row'
import type { Stage } from './stage'
import { median, percentile } from './statistics'

const SYNCS_AT_ONCE = 4

export const waitRows: readonly Row[] = [
  {
    number: 20,
    name: 'waits-of-others',
    parts: [
      { what: 'longest wait of others while hostile feeds are read', goal: atMost(1_000, 'ms') },
      { what: 'p99 of GET /api/user beside four syncs of 100 MB', goal: atMost(50, 'ms') },
    ],
    async measure(bench) {
      const stage = await bench.stage()
      const hostile = await waitBeside(stage, await prepareHostileFiles(bench, stage))
      const syncAll = await prepareSyncs(bench, stage)
      const [p99s = []] = await interleave(bench.runs, [
        async () => percentile(await waitBeside(stage, syncAll), 0.99),
      ])
      const [longest, p99] = [Math.max(...hostile), median(p99s)]
      return [
        { value: longest, ours: `${formatNumber(longest)} ms` },
        { value: p99, ours: `${formatNumber(p99)} ms` },
      ]
    },
  },
]

/** The time of each call of another user while some work is done, in milliseconds. */
function waitBeside({ admin }: Stage, work: () => Promise<unknown>): Promise<number[]> {
  return timeResponses(() => admin.send('GET', '/api/user'), work())
}

/** Returns a function that syncs every hostile file, one after the other. */
async function prepareHostileFiles({ cleanups }: Bench, stage: Stage) {
  const server = createServer((request, response) => {
    const feed = hostileFiles[Number(request.url?.slice(1))]
    response.writeHead(200, { 'content-type': 'text/csv' }).end(feed?.bytes() ?? 'sku,name\n1,a\n')
  })
  const origin = await listen(server)
  cleanups.add(() => {
    server.close()
    server.closeAllConnections()
  })
  const supplier = await stage.addSupplier('hostile', `${origin}/none`)
  return async () => {
    for (const index of hostileFiles.keys()) await trySync(supplier, `${origin}/${index}`)
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns a function that syncs several large files at once, from a host each. */
async function prepareSyncs({ source, sizes }: Bench, stage: Stage) {
  const suppliers: Supplier[] = []
  for (let count = 0; count < SYNCS_AT_ONCE; count += 1) {
    const { url } = await source(sizes.large)
    suppliers.push(await stage.addSupplier(`at-once-${count}`, url))
  }
  return () => Promise.all(suppliers.map((supplier) => syncOnce(supplier)))
}
