import { setTimeout as sleep } from 'node:timers/promises'

const ASK_EVERY_MS = 20

/** Asks again and again while `work` goes on. @returns how long each answer took, in milliseconds */
export async function timeAnswers(
  ask: () => Promise<unknown>,
  work: Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  const over = new AbortController()
  const working = work.finally(() => over.abort())
  // Its failure is told of below, after the answer that is under way.
  working.catch(() => undefined)
  while (!over.signal.aborted) {
    const started = performance.now()
    await ask()
    times.push(performance.now() - started)
    await sleep(ASK_EVERY_MS)
  }
  await working
  return times
}

/** What 99 of 100 answers took at most. */
export function percentile99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0
}

export const toMilliseconds = (ms: number) => `${Math.round(ms)} ms`
