import { waitUnlessAborted } from './deadline'

/** Lets one piece of work at a time through for each host, in order of arrival. */
export interface HostQueue {
  /** Waits for the host's turn. Call what comes back when done; calling it twice does no harm. */
  enter(host: string, signal: AbortSignal): Promise<() => void>
}

export function createHostQueue(): HostQueue {
  const tails = new Map<string, Promise<void>>()
  return {
    async enter(host, signal) {
      signal.throwIfAborted()
      const previous = tails.get(host) ?? Promise.resolve()
      const { promise: turn, resolve: leave } = openPromise()
      const tail = previous.then(() => turn)
      tails.set(host, tail)
      const done = () => {
        leave()
        if (tails.get(host) === tail) tails.delete(host)
      }
      try {
        await waitUnlessAborted(previous, signal)
        return done
      } catch (error) {
        // Those behind us still wait for those before us, through `tail`.
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
