import { SECOND_MS } from '../../../shared/durations'
import { measureProcess } from './process-usage'

const CHECK_EVERY_MS = 5 * SECOND_MS
/** A child that has not answered for this long, while it has work, is stuck. */
const STUCK_MS = 30 * SECOND_MS

type Watched = { pid: number; send(message: { type: 'ping' }): void; kill(): void }

type Options = {
  /** Beyond what it had at the first check. */
  maxMemoryBytes: number
  hasWork: () => boolean
  /** Called when it is killed. */
  onKill?: (why: { isTooLarge: boolean; isStuck: boolean }) => void
}

/**
 * Kills a child that no longer answers, or that takes too much memory, while it has work.
 * @returns `note` is to be called with each of its answers to a ping
 */
export function watchLife(link: Watched, { maxMemoryBytes, hasWork, onKill }: Options) {
  let startBytes: number | undefined
  let livedAt = performance.now()
  const check = async () => {
    if (!hasWork()) {
      livedAt = performance.now()
      return
    }
    link.send({ type: 'ping' })
    const usage = await measureProcess(link.pid)
    startBytes ??= usage?.memoryBytes ?? 0
    const isTooLarge = (usage?.memoryBytes ?? 0) - startBytes > maxMemoryBytes
    const isStuck = performance.now() - livedAt > STUCK_MS
    if (!isTooLarge && !isStuck) return
    onKill?.({ isTooLarge, isStuck })
    link.kill()
  }
  const timer = setInterval(() => void check(), CHECK_EVERY_MS)
  timer.unref()
  return {
    note() {
      livedAt = performance.now()
    },
    stop: () => clearInterval(timer),
  }
}
