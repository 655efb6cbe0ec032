import { LEASE_MS } from '../../domain/lease'
import { startSourcePace, type SourcePace } from './source-pace'

/** Ends a run whose source sends slowly, so that others get its slot. */
export class PostponedError extends Error {}

/** The syncs of this process: so many may run at once. */
export type SyncSlots = {
  countFree(): number
  /** Keeps a slot for work that was claimed, until it begins or its lease is over. */
  reserve(leaseToken: string): void
  /** Gives a slot back that was kept for work which was not claimed after all. */
  cancel(leaseToken: string): void
  begin(leaseToken: string): SyncSlot
  /**
   * While more than half of the slots wait for slow sources: ends the youngest of these runs, as many
   * as there are too many, and no more than `wanted`.
   */
  postponeSlow(wanted: number): void
}

/** A run's place among the slots. */
export type SyncSlot = {
  pace: SourcePace
  /** Fires with a `PostponedError` when the slot is needed for others. */
  signal: AbortSignal
  leave(): void
}

/** @param now milliseconds of a clock that never jumps */
export function createSyncSlots(count: number, now: () => number): SyncSlots {
  const reservedUntil = new Map<string, number>()
  /** What ends each run; oldest first. */
  const running = new Map<SyncSlot, AbortController>()

  const countReserved = () => [...reservedUntil.values()].filter((until) => until > now()).length
  return {
    countFree: () => Math.max(0, count - running.size - countReserved()),
    reserve(leaseToken) {
      for (const [token, until] of reservedUntil) if (until <= now()) reservedUntil.delete(token)
      reservedUntil.set(leaseToken, now() + LEASE_MS)
    },
    cancel: (leaseToken) => void reservedUntil.delete(leaseToken),
    begin(leaseToken) {
      reservedUntil.delete(leaseToken)
      const ending = new AbortController()
      const slot: SyncSlot = {
        pace: startSourcePace(now),
        signal: ending.signal,
        leave: () => void running.delete(slot),
      }
      running.set(slot, ending)
      return slot
    },
    postponeSlow(wanted) {
      const slots = [...running.keys()]
      const ended = slots.filter(({ signal }) => signal.aborted).length
      const slow = slots.filter(({ signal, pace }) => !signal.aborted && pace.isSlow())
      const surplus = Math.min(wanted - ended, slow.length - Math.floor(count / 2))
      if (surplus <= 0) return
      for (const slot of slow.slice(-surplus)) running.get(slot)?.abort(new PostponedError())
    },
  }
}
