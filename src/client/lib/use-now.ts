import { useSyncExternalStore } from 'react'

const TICK_MS = 15_000
const GRAIN_MS = 5_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all relative times on a page; it runs only while there are listeners. */
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

/** Rounded up, so that an event that has just happened never appears to be in the future. */
function readNow(): number {
  return Math.ceil(Date.now() / GRAIN_MS) * GRAIN_MS
}

/** Unix time in milliseconds, rounded up to 5 seconds and updated every 15 seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow)
}
