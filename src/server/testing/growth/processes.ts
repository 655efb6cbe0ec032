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
/** With room for short-lived objects, so that it is the work that is measured. */
const NODE_OPTIONS =
  '--import tsx --expose-gc --max-old-space-size=512 --min-semi-space-size=64 --max-semi-space-size=64'

/** Measures cases in processes of their own, as many at a time. */
export function createGrowthProcesses(count: number): GrowthProcesses {
  const places = Array.from({ length: count }, createPlace)
  let next = 0
  return {
    async findExcess(name, limitMs = LIMIT_MS) {
      const answer = await places[next++ % count]?.ask(name, limitMs)
      if (!answer || 'failure' in answer) return [answer?.failure ?? 'There is no process']
      return answer.growths.flatMap((growth) => describeExcess(growth) ?? [])
    },
    close() {
      for (const place of places) place.close()
    },
  }
}

/** A process that is asked one thing at a time, and another one once it has ended. */
function createPlace() {
  let child: ChildProcess | undefined
  let turn: Promise<unknown> = Promise.resolve()
  return {
    ask(name: string, limitMs: number): Promise<Answer> {
      const answer = turn.then(() => {
        if (!child?.connected) child = start()
        return ask(child, name, limitMs)
      })
      turn = answer
      return answer
    },
    close: () => child?.kill('SIGKILL'),
  }
}

function start(): ChildProcess {
  return fork(fileURLToPath(new URL('child.ts', import.meta.url)), {
    execArgv: NODE_OPTIONS.split(' '),
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
