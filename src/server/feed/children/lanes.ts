import { waitUnlessAborted } from '../deadline'
import type { TaskKind } from '../feed-reader'

/** Lets so many tasks of each kind run at once; the others wait in order of arrival. */
export interface Lanes {
  /** @throws the signal's reason while waiting, or what the work throws */
  enter<T>(kind: TaskKind, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** Settles when nothing runs any more. */
  idle(): Promise<void>
}

type Lane = { running: number; waiting: Set<() => void> }

export function createLanes(concurrency: Record<TaskKind, number>): Lanes {
  const lanes = new Map<TaskKind, Lane>()
  const working = new Set<Promise<unknown>>()
  const laneOf = (kind: TaskKind) => {
    const lane = lanes.get(kind) ?? { running: 0, waiting: new Set() }
    lanes.set(kind, lane)
    return lane
  }
  const leave = (lane: Lane) => {
    const [next] = lane.waiting
    // The place passes on to the next one as it is.
    if (next) next()
    else lane.running -= 1
  }
  const takePlace = async (kind: TaskKind, signal: AbortSignal) => {
    const lane = laneOf(kind)
    if (lane.running < concurrency[kind]) {
      lane.running += 1
      return lane
    }
    const turn = Promise.withResolvers<void>()
    const begin = () => {
      lane.waiting.delete(begin)
      turn.resolve()
    }
    lane.waiting.add(begin)
    try {
      await waitUnlessAborted(turn.promise, signal)
      return lane
    } catch (error) {
      // A turn that came at the same moment belongs to the next one.
      if (!lane.waiting.delete(begin)) leave(lane)
      throw error
    }
  }
  return {
    async enter(kind, signal, work) {
      const lane = await takePlace(kind, signal)
      const running = work()
      working.add(running)
      try {
        return await running
      } finally {
        working.delete(running)
        leave(lane)
      }
    },
    async idle() {
      await Promise.allSettled(working)
    },
  }
}
