import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { type Growth, describeExcess } from './measure'

type Result = { growths: Growth[] } | { failure: string }

export interface GrowthProcesses {
  /** Descriptions of the excessive growth of a case; empty when it is linear. */
  findExcess(name: string, limitMs?: number): Promise<string[]>
  close(): void
}

const LIMIT_MS = 300_000
/**
 * With a large young generation, so that garbage collection does not dominate, and without threads for
 * it, which would compete with other measurements.
 */
const NODE_OPTIONS =
  '--import tsx --expose-gc --single-threaded-gc --max-old-space-size=512 --min-semi-space-size=64 --max-semi-space-size=64'

/** Measures cases in `count` child processes at a time. */
export function createGrowthProcesses(count: number): GrowthProcesses {
  const places = Array.from({ length: count }, createPlace)
  return {
    async findExcess(name, limitMs = LIMIT_MS) {
      const place = places.toSorted((a, b) => a.load() - b.load())[0]
      const result = await place?.ask(name, limitMs)
      if (!result || 'failure' in result) return [result?.failure ?? 'There is no process']
      return result.growths.flatMap((growth) => describeExcess(growth) ?? [])
    },
    close() {
      for (const place of places) place.close()
    },
  }
}

/** A child process that measures one case at a time, and is replaced when it has exited. */
function createPlace() {
  let child: ChildProcess | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let load = 0
  return {
    /** Cases that it measures or that wait for it. */
    load: () => load,
    ask(name: string, limitMs: number): Promise<Result> {
      load += 1
      const result = turn.then(() => {
        if (!child?.connected) child = start()
        return ask(child, name, limitMs)
      })
      turn = result.finally(() => (load -= 1))
      return result
    },
    close: () => child?.kill('SIGKILL'),
  }
}

function start(): ChildProcess {
  return fork(fileURLToPath(new URL('child.ts', import.meta.url)), {
    execArgv: NODE_OPTIONS.split(' '),
    // Ignored, because a process that runs out of memory prints a long report.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** Kills the process when there is no result in time. */
function ask(child: ChildProcess, name: string, limitMs: number): Promise<Result> {
  return new Promise((resolve) => {
    const settle = (result: Result) => {
      clearTimeout(timer)
      child.removeAllListeners()
      resolve(result)
    }
    const abort = (failure: string) => {
      child.kill('SIGKILL')
      child.disconnect()
      settle({ failure })
    }
    const timer = setTimeout(() => abort(`It did not end within ${limitMs / 1_000} s`), limitMs)
    child.once('message', (result) => settle(result as Result))
    child.once('exit', () => settle({ failure: 'It ended the process' }))
    child.send(name)
  })
}
