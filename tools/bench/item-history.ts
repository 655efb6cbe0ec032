import { mkdir } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'

import { readConfig } from '../../src/server/config'
import { lookUpItem } from '../../src/server/features/distribution/item-history/look-up-item'
import { nameOfItem, writeLargeHistory } from '../../src/server/testing/stages/large-history'
import { openTestDeps } from '../../src/server/testing/stages/test-deps'
import { HOUR_MS } from '../../src/shared/durations'
import type { Bench } from './bench'
import { atMost, formatNumber } from './goal'
import type { Row } from './row'
import { percentile } from './statistics'

const ITEMS = 1_000_000
const VERSIONS = 30
const LOOK_UPS = 500
const MB = 1_000_000

export const itemHistoryRows: readonly Row[] = [
  {
    number: 30,
    name: 'item-history',
    parts: [
      { what: 'history of 1,000,000 items and 30 versions, 2 % changed', goal: atMost(300, 'MB') },
      { what: 'p95 of looking an item up in it', goal: atMost(50, 'ms') },
    ],
    measure: (bench) => measure(bench),
  },
]

async function measure({ folder, cleanups }: Bench) {
  const dataDir = `${folder}/item-history`
  await mkdir(dataDir)
  const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
  cleanups.add(() => deps.close())
  const size = { items: ITEMS, versions: VERSIONS, everyMs: HOUR_MS }
  const { connectionId, files } = await writeLargeHistory(deps, size)
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const times: number[] = []
  for (let count = 0; count < LOOK_UPS; count++) {
    const key = nameOfItem((count * 7_919) % ITEMS)
    const before = performance.now()
    await lookUpItem(deps, connectionId, key)
    times.push(performance.now() - before)
  }
  const p95 = percentile(times, 0.95)
  return [
    { value: bytes / MB, ours: `${formatNumber(bytes / MB)} MB` },
    { value: p95, ours: `${formatNumber(p95)} ms` },
  ]
}
