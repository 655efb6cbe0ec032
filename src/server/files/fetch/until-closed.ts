import { FileError } from '../file-error'

/** What is done with the network of a process, and ended when the process ends. */
export interface UntilClosed {
  /** Fires when the process is about to end. */
  signal: AbortSignal
  /** Lets `close` wait for work. */
  track<T>(work: Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openUntilClosed(): UntilClosed {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    signal: closing.signal,
    track(work) {
      running.add(work)
      return work.finally(() => running.delete(work))
    },
    async close() {
      closing.abort(new FileError('connection-lost', 'The server is shutting down.'))
      await Promise.allSettled(running)
    },
  }
}
