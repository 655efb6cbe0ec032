import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runCommand, UsageError, type Arguments } from '../../scripts/command-line'
import {
  ensureChromium,
  ensureNginx,
  ensurePostgres,
  ensureRedis,
  ensureS3,
} from '../../scripts/system-programs.mjs'
import { ADMIN_PASSWORD } from '../../src/e2e/support/product'
import { createCleanups, stopOnSignal, type Cleanups } from '../bench/cleanups'
import { runChaos } from './chaos'
import { measureCosts } from './costs'
import { measureGrowth } from './growth'
import { runMainJob } from './main-job'
import { moveIn, moveOut } from './moving'
import { startProcesses, startServers } from './start-fleet'
import { walkInBrowser } from './walk-in-browser'

const MAX_PROCESSES = 16
const MAX_SECONDS = 600

const HELP = `Starts a whole installation on this machine: PostgreSQL, Redis, an S3 server, web
processes behind nginx, and workers. Moves the backup of an installation of one machine in, runs the main job through it (a supplier's
file reaches a shop, and a broken one does not), also in a browser, and moves it back.

Usage: npm run fleet -- [options]

  --webs N      web processes (default 2)
  --workers N   workers (default 2)
  --chaos       instead of the main job, kills and freezes each part under load for 30 seconds each
  --growth      instead of the main job, measures syncs and requests in a second, with more processes
                and more connections; about six minutes
  --costs       instead of the main job, measures the processor time of syncs and filtered files in all
                parts; about five minutes
  --seconds N   with --chaos, so long each time
  --part NAME   with --chaos, only this part, such as PostgreSQL or "web 1"
  --keep        leaves it running, to be looked at, until Ctrl-C
  --help        prints this

Everything is in a temporary folder, which is removed at the end. On Debian, as root, missing servers are
installed.

Exit codes: 0 every step succeeded, 1 one failed, 2 invalid arguments.`

const OPTIONS = {
  webs: { type: 'string' },
  workers: { type: 'string' },
  chaos: { type: 'boolean' },
  growth: { type: 'boolean' },
  costs: { type: 'boolean' },
  seconds: { type: 'string' },
  part: { type: 'string' },
  keep: { type: 'boolean' },
} as const

export function runFleet(): Promise<void> {
  return runCommand(HELP, OPTIONS, async (args) => {
    const size = {
      webs: readNumber(args, 'webs', 2, MAX_PROCESSES),
      workers: readNumber(args, 'workers', 2, MAX_PROCESSES),
    }
    const seconds = readNumber(args, 'seconds', 30, MAX_SECONDS)
    requireServers()
    const folder = await mkdtemp(join(tmpdir(), 'stockbridge-fleet-'))
    const cleanups = createCleanups()
    cleanups.add(() => rm(folder, { recursive: true, force: true }))
    stopOnSignal(cleanups)
    try {
      const started = (what: string) => console.log(`started  ${what}`)
      // The load asks more often than people do.
      const isLoaded = args.values.chaos || args.values.growth || args.values.costs
      const extra = { FETCH_ALLOW: '127.0.0.0/8', CALL_LIMITS: isLoaded ? 'off' : 'on' }
      const servers = await startServers(extra, cleanups, started)
      if (args.values.growth) {
        await measureGrowth(folder, servers, cleanups, (line) => console.log(line))
        return 0
      }
      if (args.values.costs) {
        await measureCosts(folder, servers, cleanups, (line) => console.log(line))
        return 0
      }
      await tellStep('an installation of one machine moves in', () =>
        moveIn(folder, servers, cleanups),
      )
      const fleet = await startProcesses(folder, size, servers, cleanups, started)
      if (args.values.chaos) {
        const options = { faultMs: seconds * 1_000, part: readPart(args) }
        return await tellChaos({ servers, fleet }, options, cleanups)
      }
      await runMainJob(fleet, cleanups, tellStep)
      await tellStep('a browser walks the main job', () => walkInBrowser(fleet.url))
      await tellStep('the installation moves back to one machine', () => moveOut(folder, servers))
      if (args.values.keep) {
        console.log(
          `\nThe fleet is at ${fleet.url}: admin, ${ADMIN_PASSWORD}. Press Ctrl-C to stop.`,
        )
        await new Promise(() => undefined)
      }
      return 0
    } finally {
      await cleanups.run()
    }
  })
}

/** Runs a step and tells how long it took. */
async function tellStep<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  console.log(`ok       ${name} (${Math.round(performance.now() - startedAt)} ms)`)
  return result
}

async function tellChaos(
  parts: Parameters<typeof runChaos>[0],
  options: Parameters<typeof runChaos>[1],
  cleanups: Cleanups,
): Promise<number> {
  const problems = await runChaos(parts, options, cleanups, (line) => console.log(line))
  for (const problem of problems) console.error(problem)
  if (problems.length === 0) console.log('Nothing was lost or doubled, and everything recovered.')
  return problems.length === 0 ? 0 : 1
}

const readPart = ({ values }: Arguments) =>
  values.part === undefined ? undefined : String(values.part)

function readNumber(
  { values }: Arguments,
  name: 'webs' | 'workers' | 'seconds',
  byDefault: number,
  max: number,
): number {
  const number = Number(values[name] ?? byDefault)
  if (Number.isInteger(number) && number >= 1 && number <= max) return number
  throw new UsageError(`--${name} must be a whole number from 1 to ${max}`)
}

/** @throws Error that names a server which is missing and cannot be installed */
function requireServers(): void {
  for (const { problem } of [
    ensurePostgres(),
    ensureRedis(),
    ensureS3(),
    ensureNginx(),
    ensureChromium(),
  ]) {
    if (problem) throw new Error(problem)
  }
}
