import { availableParallelism } from 'node:os'

import type { Bench } from './bench'
import { publishAt, readTag } from './downloads'
import { atLeast, formatNumber } from './goal'
import { interleave } from './interleave'
import { repeatRequest } from './rates'
import type { Row } from './row'
import { Skipped } from './skipped'
import { openStage } from './stage'
import { median } from './statistics'

const KB = 1_000
/** `WEB_PROCESSES` */
const COUNTS = ['1', '2', 'auto'] as const

export const webProcessRows: readonly Row[] = [
  {
    number: 28,
    name: 'web-processes',
    parts: [
      { what: '304 at a feed address, 2 web processes: 1', goal: atLeast(1.2) },
      { what: '304 at a feed address, one for each processor: 1', goal: atLeast(1.2) },
    ],
    async measure(bench) {
      if (process.platform !== 'linux') throw new Skipped('only Linux shares a port')
      if (availableParallelism() < 2) throw new Skipped('there is one processor')
      const senders = []
      for (const count of COUNTS) senders.push(await openSender(bench, count))
      const [one = NaN, ...more] = (await interleave(bench.runs, senders)).map(median)
      return more.map((rate) => ({
        value: rate / one,
        ours: `${formatNumber(rate)}/s`,
        peer: `${formatNumber(one)}/s`,
      }))
    },
  },
]

/** Returns a function that asks a product for what has not changed, and tells how often in a second. */
async function openSender(bench: Bench, count: string): Promise<() => Promise<number>> {
  const dataDir = `${bench.folder}/web-processes-${count}`
  const stage = await openStage(dataDir, bench.cleanups, { WEB_PROCESSES: count })
  const { sourceUrl: url } = await publishAt(stage, 'processes', await bench.source(100 * KB))
  const headers = { 'if-none-match': await readTag(url) }
  const send = await repeatRequest(bench, { url, headers, expectedStatus: 304 })
  return async () => (await send()).perSecond
}
