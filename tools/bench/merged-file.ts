import { performance } from 'node:perf_hooks'

import { toChildCommands } from '../../src/server/files/children/child-command'
import { measureProcess } from '../../src/server/files/children/process-usage'
import { startReaderProcess } from '../../src/server/files/children/reader/reader-process'
import { defaultTaskLimits } from '../../src/server/files/children/reader/task-limits'
import { openMergedStage } from '../../src/server/testing/stages/merged-stage'
import type { Bench } from './bench'
import { atMost, formatNumber } from './goal'
import type { Row } from './row'
import { median } from './statistics'

const SUPPLIERS = 20
const ROWS = 100_000
const FEW_ROWS = 10_000
const MB = 1_000_000
const SAMPLE_MS = 50
/** Of the items of a supplier, the share that its neighbours in the list have too. */
const SHARED = 0.5

export const mergedFileRows: readonly Row[] = [
  {
    number: 31,
    name: 'merged-file',
    parts: [
      { what: 'merging the files of 20 suppliers with 100,000 rows each', goal: atMost(5, 's') },
      { what: 'memory of the reader meanwhile, beyond idle', goal: atMost(64, 'MB') },
    ],
    measure: (bench) => measure(bench),
  },
]

async function measure({ cleanups, isQuick, runs }: Bench) {
  const stage = await openMergedStage()
  cleanups.add(() => stage.close())
  const parts = []
  for (let supplier = 0; supplier < SUPPLIERS; supplier++) {
    const csv = makeFile(supplier, isQuick ? FEW_ROWS : ROWS)
    parts.push((await stage.writePart({ csv, prefix: `S${supplier}-` }, null)).part)
  }
  const { reader: command } = toChildCommands({ allow: [], maxBytes: 1, env: {} })
  const reader = await startReaderProcess(command, defaultTaskLimits)
  cleanups.add(() => reader.end())
  const readMemory = async () => (await measureProcess(reader.pid))?.memoryBytes ?? 0
  const idle = await readMemory()
  let peak = idle
  const sample = async () => {
    peak = Math.max(peak, await readMemory())
  }
  const timer = setInterval(() => void sample(), SAMPLE_MS)
  const seconds: number[] = []
  const { signal } = new AbortController()
  const rules = { quantity: 'cheapest', priceRules: null } as const
  for (let run = 0; run < runs; run++) {
    const drafts = {
      rows: stage.path('rows'),
      keys: stage.path('keys'),
      unmatched: stage.path('un'),
    }
    const startedAt = performance.now()
    await reader.run('mergedFile', { parts, drafts, ...rules }, { signal })
    seconds.push((performance.now() - startedAt) / 1_000)
  }
  clearInterval(timer)
  const time = median(seconds)
  return [
    { value: time, ours: `${formatNumber(time)} s` },
    { value: (peak - idle) / MB, ours: `${formatNumber((peak - idle) / MB)} MB` },
  ]
}

/** Half of whose items, known by their GTINs, the next supplier has too. */
function makeFile(supplier: number, rows: number): string {
  const first = Math.floor(supplier * rows * SHARED)
  const lines = Array.from({ length: rows }, (_, row) => {
    const number = first + row
    return `N${number},"Boot, brown; size ${number % 50}",Shoes > Kind ${number % 500},${number % 97},${(number % 900) + 10}.50,${toGtin(number)}`
  })
  return `sku,name,category,quantity,price,ean\r\n${lines.join('\r\n')}\r\n`
}

function toGtin(number: number): string {
  const digits = `4${String(number).padStart(11, '0')}`
  const sum = Array.from(digits, Number).reduce(
    (total, digit, at) => total + digit * (at % 2 ? 3 : 1),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}
