import type { FeedError } from '../feed-error'

/** A signal that fires when time is up or when the parent's does; always end it with `clear`. */
export interface Deadline {
  signal: AbortSignal
  abort(reason: unknown): void
  /** Stops the clock and lets go of the parent. The signal stays as it is. */
  clear(): void
}

/**
 * In place of `AbortSignal.timeout` and `any`, whose timers and links to a long-lived parent stay
 * behind after the work is done.
 */
export function startDeadline(
  timeoutMs: number,
  describe: () => FeedError,
  parent: AbortSignal,
): Deadline {
  const controller = new AbortController()
  const follow = () => controller.abort(parent.reason)
  const timer = setTimeout(() => controller.abort(describe()), timeoutMs)
  if (parent.aborted) follow()
  else parent.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    clear() {
      clearTimeout(timer)
      parent.removeEventListener('abort', follow)
    },
  }
}

/** Waits for work that cannot be cancelled, until the signal fires; rejects with its reason. */
export async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let giveUp: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(signal.reason as Error)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (giveUp) signal.removeEventListener('abort', giveUp)
    // The loser of the race may still fail; nobody is left to hear it.
    work.catch(ignore)
  }
}

function ignore(): void {}
