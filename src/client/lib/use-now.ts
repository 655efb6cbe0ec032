import { useSyncExternalStore } from 'react'

const TICK_MS = 15_000
const GRAIN_MS = 5_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all relative times on a page. It only runs while something shows one. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(() => {
      for (const notify of listeners) notify()
    }, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Rounded up, so that what has just happened never seems to lie ahead. */
function readNow(): number {
  return Math.ceil(Date.now() / GRAIN_MS) * GRAIN_MS
}

/** The time in milliseconds, a few seconds coarse, and new four times a minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow)
}
