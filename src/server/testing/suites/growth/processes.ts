import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a process sends: the input of each run, and at last what it has found. */
export type Message = { input: string } | { excess: string }

export interface GrowthProcesses {
  /** Describes what a case takes too much of; empty when it does not. */
  findExcess(name: string, limitMs?: number): Promise<string>
  close(): Promise<void>
}

/** For a run: linear work takes seconds, though other processes work as well. */
const LIMIT_MS = 300_000
/**
 * With a large young generation, so that garbage collection does not dominate, and without threads for
 * it, which would compete with other measurements.
 */
const NODE_OPTIONS =
  '--import tsx --expose-gc --single-threaded-gc --max-old-space-size=512 --min-semi-space-size=64 --max-semi-space-size=64'

/** Measures each case in a process that can be killed, because it may hang or exhaust memory. */
export function openGrowthProcesses(): GrowthProcesses {
  const folder = mkdtempSync(join(tmpdir(), 'stockbridge-growth-'))
  const idle: ChildProcess[] = []
  return {
    async findExcess(name, limitMs = LIMIT_MS) {
      const child = idle.pop() ?? start(mkdtempSync(join(folder, 'files-')))
      const excess = await ask(child, name, limitMs)
      if (child.connected) idle.push(child)
      return excess
    },
    async close() {
      for (const child of idle) child.kill('SIGKILL')
      await rm(folder, { recursive: true, maxRetries: 5 })
    },
  }
}

function start(folder: string): ChildProcess {
  return fork(fileURLToPath(new URL('child.ts', import.meta.url)), [folder], {
    execArgv: NODE_OPTIONS.split(' '),
    // It is no test, and has nothing of vitest.
    env: { ...process.env, VITEST: undefined },
    // Ignored, because a process that runs out of memory prints a long report.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** Kills the process when a run takes too long. */
function ask(child: ChildProcess, name: string, limitMs: number): Promise<string> {
  return new Promise((resolve) => {
    let input = 'The start'
    const settle = (excess: string) => {
      clearTimeout(timer)
      child.removeAllListeners()
      resolve(excess)
    }
    const abort = () => {
      child.kill('SIGKILL')
      child.disconnect()
      settle(`${input}: does not end within ${limitMs / 1_000} s`)
    }
    let timer = setTimeout(abort, LIMIT_MS)
    child.on('message', (message: Message) => {
      if ('excess' in message) return settle(message.excess)
      input = message.input
      clearTimeout(timer)
      timer = setTimeout(abort, limitMs)
    })
    child.once('exit', () => settle(`${input}: ends the process`))
    child.send(name)
  })
}
