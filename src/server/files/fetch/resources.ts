import { MINUTE_MS } from '../../../shared/durations'
import { startDeadline } from '../../concurrency/deadline'
import { FileError } from '../file-error'
import type { FetchRequest, FetchResources } from './fetch-context'

interface Limits {
  totalMs: number
  /** The error for work that takes longer. */
  timeout: () => FileError
  /** Fires when the process is about to end. */
  closing: AbortSignal
}

/** One for all, since each fetch is released, and making an error takes long. */
const CLOSED = new FileError('connection-lost', 'The connection was closed.')

/** Begins what one fetch or sending holds until it releases it. */
export function acquireResources(
  { signal, hosts, enteredHost: entered }: Pick<FetchRequest, 'signal' | 'hosts' | 'enteredHost'>,
  { totalMs, timeout, closing }: Limits,
): FetchResources {
  const total = startDeadline(totalMs, timeout, signal)
  const close = () => total.abort(closing.reason)
  closing.addEventListener('abort', close, { once: true })
  if (closing.aborted) close()
  let releaseHost: (() => void) | undefined
  let isReleased = false
  let enteredHost = entered
  const release = () => {
    if (isReleased) return
    isReleased = true
    closing.removeEventListener('abort', close)
    total.signal.removeEventListener('abort', release)
    total.clear()
    total.abort(CLOSED)
    releaseHost?.()
  }
  // Even a body that is never read is released when the signal fires.
  total.signal.addEventListener('abort', release, { once: true })
  return {
    signal: total.signal,
    release,
    async acquireHost(host) {
      releaseHost?.()
      releaseHost = undefined
      const isEntered = host === enteredHost
      enteredHost = undefined
      if (isEntered) return
      const releaseNew = await hosts?.enter(host, total.signal)
      releaseHost = releaseNew
      if (isReleased) releaseNew?.()
    },
  }
}

/** A time limit, as errors tell it. */
export function showMinutes(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS)
  return minutes > 1 ? `${minutes} minutes` : 'a minute'
}
