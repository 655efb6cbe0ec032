import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { rounds } from '../../server/testing/figures'
import { PROGRAMS } from './bundle-programs'

const VISIBLE = new Set(['link file', 'rename file', 'commit'])

/** A program of `server/testing` that prints its steps, and dies before the one it is told. */
type Program = { name: string; args?: string[] }

/** Runs a program until it dies before its `last`-th step, or ends; returns the steps it came to. */
export async function dieAtStep({ name, args = [] }: Program, dataDir: string, last: number) {
  const child = start(name, [dataDir, `${last}`, ...args])
  const steps = collectSteps(child)
  await once(child, 'close')
  return requireEnd(child, steps())
}

/** Runs a program and kills it so many milliseconds after its first step, unless it ends before. */
export async function dieAfter({ name, args = [] }: Program, dataDir: string, ms: number) {
  const child = start(name, [dataDir, 'Infinity', ...args])
  const steps = collectSteps(child)
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  await sleep(ms)
  child.kill('SIGKILL')
  await closed
  return requireEnd(child, steps())
}

/**
 * Kills a program before its steps, two programs at a time: before the first step of each kind and
 * before all that make something visible.
 * @param dieAt kills it before the step of this number, and checks what is left
 * @param isEveryStep whether to kill it before all of its steps; by default in the long run
 * @returns the number of kills
 */
export async function dieAtSteps(
  steps: string[],
  dieAt: (last: number) => Promise<void>,
  isEveryStep = rounds(0, 1) === 1,
): Promise<number> {
  const isChosen = (step: string, index: number) =>
    isEveryStep || VISIBLE.has(step) || steps.indexOf(step) === index
  const chosen = steps.flatMap((step, index) => (isChosen(step, index) ? [index + 1] : []))
  const left = [...chosen]
  const dieInTurn = async () => {
    for (let last = left.shift(); last !== undefined; last = left.shift()) await dieAt(last)
  }
  await Promise.all([dieInTurn(), dieInTurn()])
  return chosen.length
}

function start(name: string, args: string[]) {
  return spawn(process.execPath, [`${PROGRAMS}/${name}.js`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

type Child = ReturnType<typeof start>

function collectSteps(child: Child): () => string[] {
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return () => output.trim().split('\n')
}

function requireEnd({ exitCode, signalCode }: Child, steps: string[]) {
  const isKilled = signalCode === 'SIGKILL'
  if (!isKilled && exitCode !== 0) throw new Error(`It ended with ${exitCode}: ${steps.at(-1)}`)
  return { isKilled, steps }
}
