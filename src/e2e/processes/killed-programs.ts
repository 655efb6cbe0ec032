import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { rounds } from '../../server/testing/fixtures/figures'
import { removeDataDir } from '../support/product'
import { PROGRAMS } from './bundle-programs'

const NONE = ''
const VISIBLE = new Set(['link file', 'rename file', 'commit'])

/** A program of `server/testing` that prints its steps and kills itself before a given one. */
type Program = { name: string; args?: string[] }

/**
 * Runs a program until it kills itself before a step, or ends. Returns its steps.
 * @param last `2 commit` is the second of the steps named `commit`: work that goes on at the same time moves
 *   steps of different names, so that their numbers among all steps differ from run to run
 */
export async function killBeforeStep({ name, args = [] }: Program, dataDir: string, last = NONE) {
  const child = start(name, [dataDir, last, ...args])
  const steps = collectSteps(child)
  await once(child, 'close')
  return requireEnd(child, steps())
}

/** Runs a program and kills it `ms` milliseconds after its first step, unless it ends before. */
export async function killAfter({ name, args = [] }: Program, dataDir: string, ms: number) {
  const child = start(name, [dataDir, NONE, ...args])
  const steps = collectSteps(child)
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  await sleep(ms)
  child.kill('SIGKILL')
  await closed
  return requireEnd(child, steps())
}

/** Runs a program and kills it once something has happened. */
export async function killOnce(
  { name, args = [] }: Program,
  dataDir: string,
  happened: () => Promise<unknown>,
) {
  const child = start(name, [dataDir, ...args])
  const closed = once(child, 'close')
  await Promise.race([happened(), closed])
  child.kill('SIGKILL')
  await closed
  return child.signalCode === 'SIGKILL'
}

/**
 * Kills a program once before each chosen step, two programs at a time. Chosen are the first step
 * of each kind, and the last of those that make something visible.
 * @param killAt kills the program before this step and checks what is left
 * @param isEveryStep chooses all steps instead; by default in the long test run
 * @returns the number of kills
 */
export async function killBeforeEachStep(
  steps: string[],
  killAt: (last: string) => Promise<void>,
  isEveryStep = rounds(0, 1) === 1,
): Promise<number> {
  const isChosen = (step: string, index: number) =>
    isEveryStep ||
    steps.indexOf(step) === index ||
    (VISIBLE.has(step) && steps.lastIndexOf(step) === index)
  const countUntil = (step: string, index: number) =>
    steps.slice(0, index + 1).filter((other) => other === step).length
  const chosen = steps.flatMap((step, index) =>
    isChosen(step, index) ? [`${countUntil(step, index)} ${step}`] : [],
  )
  const remaining = [...chosen]
  const killInTurn = async () => {
    for (let last = remaining.shift(); last !== undefined; last = remaining.shift())
      await killAt(last)
  }
  await Promise.all([killInTurn(), killInTurn()])
  return chosen.length
}

/**
 * Runs a program to its end, and then once for each of these kills; after each run, what is left is looked at.
 * @param run with a data folder of its own
 * @returns the number of kills
 */
export async function recoverFromEachKill(
  run: (last?: string) => Promise<{ dataDir: string; steps: string[] }>,
  recover: (dataDir: string, step: string) => Promise<void>,
): Promise<number> {
  const runAndRecover = async (last?: string) => {
    const { dataDir, steps } = await run(last)
    await recover(dataDir, last ?? 'the end')
    await removeDataDir(dataDir)
    return steps
  }
  return killBeforeEachStep(await runAndRecover(), async (last) => void (await runAndRecover(last)))
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
  if (!isKilled && exitCode !== 0)
    throw new Error(`Exited with ${exitCode} after step ${steps.at(-1)}`)
  return { isKilled, steps }
}
