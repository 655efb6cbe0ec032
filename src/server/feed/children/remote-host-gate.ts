import { waitUnlessAborted } from '../fetch/deadline'
import type { HostGate } from '../fetch/host-gate'
import { type FromChild, MAX_HOST_LENGTH } from './messages'

/** The gate of hosts as a child has it: its parent knows whose turn it is. */
export interface RemoteHostGate extends HostGate {
  /** The parent says that a turn has come. */
  admit(turn: number): void
}

export function createRemoteHostGate(send: (message: FromChild) => void): RemoteHostGate {
  const waiting = new Map<number, () => void>()
  let count = 0
  return {
    admit(turn) {
      waiting.get(turn)?.()
    },
    async enter(host, signal) {
      signal.throwIfAborted()
      const turn = ++count
      const { promise, resolve } = Promise.withResolvers<void>()
      const leave = () => send({ type: 'leave', turn })
      waiting.set(turn, resolve)
      send({ type: 'enter', turn, host: host.slice(0, MAX_HOST_LENGTH) })
      try {
        await waitUnlessAborted(promise, signal)
        return leave
      } catch (error) {
        leave()
        throw error
      } finally {
        waiting.delete(turn)
      }
    },
  }
}
