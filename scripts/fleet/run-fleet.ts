import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ADMIN_PASSWORD } from '../../src/e2e/product'
import { createCleanups, stopOnSignal } from '../bench/cleanups'
import { runCommand, UsageError, type Arguments } from '../command-line'
import { ensureNginx, ensurePostgres, ensureRedis, ensureS3 } from '../system-programs.mjs'
import { runMainJob } from './main-job'
import { startFleet } from './start-fleet'

const MAX_PROCESSES = 16

const HELP = `Starts a whole installation on this machine: PostgreSQL, Redis, an S3 server, web
processes behind nginx, and workers. Runs the main job through it: a supplier's file reaches a shop, and a broken one does not.

Usage: npm run fleet -- [options]

  --webs N      web processes (default 2)
  --workers N   workers (default 2)
  --keep        leaves it running, to be looked at, until Ctrl-C
  --help        prints this

Everything is in a temporary folder, which is removed at the end. On Debian, as root, missing servers are
installed.

Exit codes: 0 every step succeeded, 1 one failed, 2 invalid arguments.`

const OPTIONS = {
  webs: { type: 'string' },
  workers: { type: 'string' },
  keep: { type: 'boolean' },
} as const

export function runFleet(): Promise<void> {
  return runCommand(HELP, OPTIONS, async (args) => {
    const size = { webs: readCount(args, 'webs'), workers: readCount(args, 'workers') }
    requireServers()
    const folder = await mkdtemp(join(tmpdir(), 'stockbridge-fleet-'))
    const cleanups = createCleanups()
    cleanups.add(() => rm(folder, { recursive: true, force: true }))
    stopOnSignal(cleanups)
    try {
      const started = (what: string) => console.log(`started  ${what}`)
      const fleet = await startFleet(folder, size, { FETCH_ALLOW: '127.0.0.1' }, cleanups, started)
      await runMainJob(fleet, cleanups, (step, ms) => {
        console.log(`ok       ${step} (${Math.round(ms)} ms)`)
      })
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

function readCount({ values }: Arguments, name: 'webs' | 'workers'): number {
  const count = Number(values[name] ?? 2)
  if (Number.isInteger(count) && count >= 1 && count <= MAX_PROCESSES) return count
  throw new UsageError(`--${name} must be a whole number from 1 to ${MAX_PROCESSES}`)
}

/** @throws Error that names a server which is missing and cannot be installed */
function requireServers(): void {
  for (const { problem } of [ensurePostgres(), ensureRedis(), ensureS3(), ensureNginx()]) {
    if (problem) throw new Error(problem)
  }
}
