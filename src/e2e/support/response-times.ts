import { setTimeout as sleep } from 'node:timers/promises'

const INTERVAL_MS = 50

/** Repeats a request until `work` settles. @returns the time of each response in milliseconds */
export async function timeResponses(
  send: () => Promise<unknown>,
  work: Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  const done = new AbortController()
  const running = work.finally(() => done.abort())
  // A rejection is reported by the `await` below, after the request in flight.
  running.catch(() => undefined)
  while (!done.signal.aborted) {
    const started = performance.now()
    await send()
    times.push(performance.now() - started)
    await sleep(INTERVAL_MS)
  }
  await running
  return times
}

/** The 99th percentile. */
export function percentile99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0
}

export const toMilliseconds = (ms: number) => `${Math.round(ms)} ms`
