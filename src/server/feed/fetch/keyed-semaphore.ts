import { waitUnlessAborted } from './deadline'

/** Lets so many callers through at once for each key; the others wait in order of arrival. */
export interface KeyedSemaphore<Key> {
  /**
   * Waits for a place. Call what comes back when done; calling it twice does no harm.
   * @throws the signal's reason
   */
  enter(key: Key, signal: AbortSignal): Promise<() => void>
}

type Lane = { taken: number; waiting: Set<() => void> }

/** @param placesOf how many places a key has */
export function createKeyedSemaphore<Key>(placesOf: (key: Key) => number): KeyedSemaphore<Key> {
  /** Of the keys whose places are taken or waited for. */
  const lanes = new Map<Key, Lane>()

  const openLane = (key: Key): Lane => {
    const lane = lanes.get(key) ?? { taken: 0, waiting: new Set() }
    lanes.set(key, lane)
    return lane
  }
  const giveBack = (key: Key, lane: Lane) => {
    const [next] = lane.waiting
    // The place passes on to the next one as it is.
    if (next) return next()
    lane.taken -= 1
    if (lane.taken === 0) lanes.delete(key)
  }
  const waitForPlace = async (key: Key, lane: Lane, signal: AbortSignal) => {
    const turn = Promise.withResolvers<void>()
    const begin = () => {
      lane.waiting.delete(begin)
      turn.resolve()
    }
    lane.waiting.add(begin)
    try {
      await waitUnlessAborted(turn.promise, signal)
    } catch (error) {
      // A place that came at the same moment belongs to the next one.
      if (!lane.waiting.delete(begin)) giveBack(key, lane)
      throw error
    }
  }
  return {
    async enter(key, signal) {
      signal.throwIfAborted()
      const lane = openLane(key)
      if (lane.taken < placesOf(key)) lane.taken += 1
      else await waitForPlace(key, lane, signal)
      let isHeld = true
      return () => {
        if (isHeld) giveBack(key, lane)
        isHeld = false
      }
    },
  }
}
