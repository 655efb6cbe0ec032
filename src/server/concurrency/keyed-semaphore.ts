import { waitUnlessAborted } from './deadline'

/** Limits how many callers hold a key at once; the others wait in order of arrival. */
export interface KeyedSemaphore<Key> {
  /**
   * Waits for a slot.
   * @returns a function that releases it; further calls do nothing
   * @throws the signal's reason
   */
  acquire(key: Key, signal: AbortSignal): Promise<() => void>
}

type KeyState = { held: number; waiting: Set<() => void> }

/** @param slotsOf how many slots a key has */
export function createKeyedSemaphore<Key>(slotsOf: (key: Key) => number): KeyedSemaphore<Key> {
  /** Only the keys that are held or waited for. */
  const states = new Map<Key, KeyState>()

  const stateOf = (key: Key): KeyState => {
    const state = states.get(key) ?? { held: 0, waiting: new Set() }
    states.set(key, state)
    return state
  }
  const release = (key: Key, state: KeyState) => {
    const [next] = state.waiting
    // The slot passes straight to the next caller, so the number held does not change.
    if (next) return next()
    state.held -= 1
    if (state.held === 0) states.delete(key)
  }
  const waitForSlot = async (key: Key, state: KeyState, signal: AbortSignal) => {
    const granted = Promise.withResolvers<void>()
    const grant = () => {
      state.waiting.delete(grant)
      granted.resolve()
    }
    state.waiting.add(grant)
    try {
      await waitUnlessAborted(granted.promise, signal)
    } catch (error) {
      // A slot that was granted at the same moment passes to the next caller.
      if (!state.waiting.delete(grant)) release(key, state)
      throw error
    }
  }
  return {
    async acquire(key, signal) {
      signal.throwIfAborted()
      const state = stateOf(key)
      if (state.held < slotsOf(key)) state.held += 1
      else await waitForSlot(key, state, signal)
      let isHeld = true
      return () => {
        if (isHeld) release(key, state)
        isHeld = false
      }
    },
  }
}
