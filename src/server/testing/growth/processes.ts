import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { type Growth, describeExcess } from './measure'

type Answer = { growths: Growth[] } | { failure: string }

export interface GrowthProcesses {
  /** What is wrong with the growth of a case; empty when it is linear. */
  findExcess(name: string, limitMs?: number): Promise<string[]>
  close(): void
}

const LIMIT_MS = 120_000
const NODE_OPTIONS = [
  ...['--import', 'tsx', '--expose-gc'],
  // Room for short-lived objects, so that it is the work that is measured.
  ...['--max-old-space-size=512', '--min-semi-space-size=32', '--max-semi-space-size=64'],
]

/** Measures cases in processes of their own, as many at a time. */
export function createGrowthProcesses(count: number): GrowthProcesses {
  const idle: (ChildProcess | undefined)[] = Array(count).fill(undefined)
  const waiting: ((child: ChildProcess | undefined) => void)[] = []
  const running = new Set<ChildProcess>()

  const take = async () => {
    const child = idle.length > 0 ? idle.pop() : await new Promise(waiting.push.bind(waiting))
    if (child?.connected) return child
    const started = start()
    running.add(started)
    return started
  }
  const giveBack = (child: ChildProcess) => {
    const next = waiting.shift()
    if (next) next(child)
    else idle.push(child)
  }
  return {
    async findExcess(name, limitMs = LIMIT_MS) {
      const child = await take()
      const answer = await ask(child, name, limitMs)
      giveBack(child)
      if ('failure' in answer) return [answer.failure]
      return answer.growths.flatMap((growth) => describeExcess(growth) ?? [])
    },
    close() {
      for (const child of running) child.kill('SIGKILL')
    },
  }
}

function start(): ChildProcess {
  return fork(fileURLToPath(new URL('child.ts', import.meta.url)), {
    execArgv: NODE_OPTIONS,
    // A process that runs out of memory says so at length.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** Ends the process where there is no answer in time. */
function ask(child: ChildProcess, name: string, limitMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const settle = (answer: Answer) => {
      clearTimeout(timer)
      child.removeAllListeners()
      resolve(answer)
    }
    const giveUp = (failure: string) => {
      child.kill('SIGKILL')
      child.disconnect()
      settle({ failure })
    }
    const timer = setTimeout(() => giveUp(`It did not end within ${limitMs / 1_000} s`), limitMs)
    child.once('message', (answer) => settle(answer as Answer))
    child.once('exit', () => settle({ failure: 'It ended the process' }))
    child.send(name)
  })
}
