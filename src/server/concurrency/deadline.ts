/** A signal that fires on a timeout or when its parent fires; `clear` must always be called. */
export interface Deadline {
  signal: AbortSignal
  abort(reason: unknown): void
  /** Stops the timer and stops listening to the parent. The signal keeps its state. */
  clear(): void
}

/**
 * Used instead of `AbortSignal.timeout` and `AbortSignal.any`, which keep their timers and their
 * links to a long-lived parent after the work is done.
 */
export function startDeadline(
  timeoutMs: number,
  describe: () => Error,
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

/** Waits for work that cannot be cancelled; rejects with the signal's reason once that fires. */
export async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort)
    // After an abort the work may still fail; without a handler that would be an unhandled rejection.
    work.catch(ignore)
  }
}

function ignore(): void {}
