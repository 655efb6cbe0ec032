import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** More costs memory, less processor time: a collection of what is young takes less than a millisecond. */
const COLLECT_EVERY_BYTES = 4 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

let passedBytes = 0

/**
 * Counts bytes that this process or thread has received or sent. Each piece is in a buffer of its own outside the
 * heap, and V8 would collect used ones only once there are 32 MB of them.
 */
export function notePassedBytes(bytes: number): void {
  passedBytes += bytes
  if (passedBytes < COLLECT_EVERY_BYTES) return
  passedBytes = 0
  collect({ type: 'minor' })
}
