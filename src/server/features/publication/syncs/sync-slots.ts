import { LEASE_MS } from '../../../domain/lease'
import { startSourcePace, type SourcePace } from './source-pace'

/** The reason with which a slow source's run is aborted so that others get its slot. */
export class PostponedError extends Error {}

/** The slots of this process for concurrent syncs. */
export type SyncSlots = ReturnType<typeof createSyncSlots>

/** The slot of a running sync. */
export type SyncSlot = {
  pace: SourcePace
  /** Aborts with a `PostponedError` when the slot is needed for others. */
  signal: AbortSignal
  leave(): void
}

/** @param now a monotonic clock, in milliseconds */
export function createSyncSlots(count: number, now: () => number) {
  const reservedUntil = new Map<string, number>()
  /** The controller that aborts each run; oldest run first. */
  const running = new Map<SyncSlot, AbortController>()

  const countReserved = () => [...reservedUntil.values()].filter((until) => until > now()).length
  return {
    countFree: () => Math.max(0, count - running.size - countReserved()),
    /** Reserves a slot for claimed work until the work begins or its lease expires. */
    reserve(leaseToken: string): void {
      for (const [token, until] of reservedUntil) if (until <= now()) reservedUntil.delete(token)
      reservedUntil.set(leaseToken, now() + LEASE_MS)
    },
    /** Releases a reserved slot when the claim was rolled back. */
    cancel: (leaseToken: string) => void reservedUntil.delete(leaseToken),
    begin(leaseToken: string): SyncSlot {
      reservedUntil.delete(leaseToken)
      const controller = new AbortController()
      const slot: SyncSlot = {
        pace: startSourcePace(now),
        signal: controller.signal,
        leave: () => void running.delete(slot),
      }
      running.set(slot, controller)
      return slot
    },
    /**
     * Aborts the youngest runs of slow sources: only as many as exceed half of the slots, and at most
     * `wanted`, counting those already aborted.
     */
    postponeSlow(wanted: number): void {
      const slots = [...running.keys()]
      const aborted = slots.filter(({ signal }) => signal.aborted).length
      const slow = slots.filter(({ signal, pace }) => !signal.aborted && pace.isSlow())
      const surplus = Math.min(wanted - aborted, slow.length - Math.floor(count / 2))
      if (surplus <= 0) return
      for (const slot of slow.slice(-surplus)) running.get(slot)?.abort(new PostponedError())
    },
  }
}
