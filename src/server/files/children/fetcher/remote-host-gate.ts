import { waitUnlessAborted } from '../../../concurrency/deadline'
import type { HostGate } from '../../fetch/host-gate'
import { MAX_HOST_LENGTH } from './messages'

/** A child's host gate: it asks its parent for a slot and waits until the parent grants it. */
export interface RemoteHostGate extends HostGate {
  /** Call when the parent has granted the slot. */
  admit(slot: number): void
}

export function createRemoteHostGate(
  send: (
    message: { type: 'enter'; slot: number; host: string } | { type: 'leave'; slot: number },
  ) => void,
): RemoteHostGate {
  const waiting = new Map<number, () => void>()
  let count = 0
  return {
    admit(slot) {
      waiting.get(slot)?.()
    },
    async enter(host, signal) {
      signal.throwIfAborted()
      const slot = ++count
      const { promise, resolve } = Promise.withResolvers<void>()
      const leave = () => send({ type: 'leave', slot })
      waiting.set(slot, resolve)
      send({ type: 'enter', slot, host: host.slice(0, MAX_HOST_LENGTH) })
      try {
        await waitUnlessAborted(promise, signal)
        return leave
      } catch (error) {
        leave()
        throw error
      } finally {
        waiting.delete(slot)
      }
    },
  }
}
