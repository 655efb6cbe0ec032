import { waitUnlessAborted } from '../feed/deadline'
import type { HostGate } from '../feed/host-gate'

/** Lets one caller of this process at a time through for each host, in order of arrival. */
export function createHostLine(): HostGate {
  const tails = new Map<string, Promise<void>>()
  return {
    async enter(host, signal) {
      signal.throwIfAborted()
      const previous = tails.get(host) ?? Promise.resolve()
      const { promise: turn, resolve: leave } = openPromise()
      const tail = previous.then(() => turn)
      tails.set(host, tail)
      void tail.then(() => tails.get(host) === tail && tails.delete(host))
      try {
        await waitUnlessAborted(previous, signal)
        return leave
      } catch (error) {
        // Those behind still wait for those before, through `tail`.
        leave()
        throw error
      }
    },
  }
}

function openPromise(): { promise: Promise<void>; resolve: () => void } {
  let resolve: (() => void) | undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve: () => resolve?.() }
}
