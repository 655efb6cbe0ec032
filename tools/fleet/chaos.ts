import { setTimeout as sleep } from 'node:timers/promises'

import type { Cleanups } from '../bench/cleanups'
import { startLoad, type Load } from './load'
import type { Part } from './part'
import type { Fleet, Servers } from './start-fleet'

const RECOVERED_WITHIN_MS = 60_000
const QUIET_MS = 5_000

const FAULTS = {
  killed: { begin: (part: Part) => part.kill(), end: (part: Part) => part.start() },
  frozen: { begin: (part: Part) => part.freeze(), end: (part: Part) => part.thaw() },
}

/**
 * Kills and freezes each kind of part under load.
 * @param options.faultMs how long each fault lasts
 * @param options.part only this one
 * @param report is told a line for each
 * @returns what went wrong; empty if nothing was lost, nothing was doubled and all recovered in time
 */
export async function runChaos(
  { servers, fleet }: { servers: Servers; fleet: Fleet },
  { faultMs, part: only }: { faultMs: number; part: string | undefined },
  cleanups: Cleanups,
  report: (line: string) => void,
): Promise<string[]> {
  const kinds = [...servers.parts, ...fleet.webs.slice(0, 1), ...fleet.workers.slice(0, 1)]
  const parts = kinds.filter(({ name }) => only === undefined || name === only)
  const load = await startLoad(fleet.url, cleanups)
  const problems: string[] = []
  for (const part of parts) {
    for (const [fault, { begin, end }] of Object.entries(FAULTS)) {
      await sleep(QUIET_MS)
      load.takeReads()
      await begin(part)
      await sleep(faultMs)
      await end(part)
      const { whole, failed, longestGapMs } = load.takeReads()
      const recoveredMs = await measureRecovery(load)
      const isLate = recoveredMs === undefined
      if (isLate) problems.push(`${part.name} ${fault}: no new file within a minute after it`)
      const recovered = isLate ? 'not' : `after ${seconds(recoveredMs)}`
      report(
        `${part.name} ${fault}: ${whole} files read, ${failed} reads failed, ${seconds(longestGapMs)} without one at most; recovered ${recovered}`,
      )
    }
  }
  return [...problems, ...(await load.stop())]
}

/** Returns how long it takes until a file is read that the source has only had since now. */
async function measureRecovery(load: Load): Promise<number | undefined> {
  const startedAt = performance.now()
  const before = load.lastSent()
  while (load.lastReceived() <= before) {
    if (performance.now() - startedAt > RECOVERED_WITHIN_MS) return undefined
    await sleep(100)
  }
  return performance.now() - startedAt
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
