import { useSyncExternalStore } from 'react'

/** Those who wait for the answer of the one dialog; null while nobody does. */
let waiting: ((isConfirmed: boolean) => void)[] | null = null
const listeners = new Set<() => void>()

function setWaiting(next: typeof waiting) {
  waiting = next
  for (const listener of listeners) listener()
}

/** Has the user confirm who is there. Calls at the same time share one question; without the dialog nobody is asked. */
export function askForConfirmation(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false)
  return new Promise((resolve) => setWaiting([...(waiting ?? []), resolve]))
}

/** Goes on with the calls that wait, or has them fail. */
export function endConfirmation(isConfirmed: boolean): void {
  const answered = waiting ?? []
  setWaiting(null)
  for (const resolve of answered) resolve(isConfirmed)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) endConfirmation(false)
  }
}

/** Whether the user is being asked. */
export const useIsConfirming = (): boolean =>
  useSyncExternalStore(subscribe, () => waiting !== null)
