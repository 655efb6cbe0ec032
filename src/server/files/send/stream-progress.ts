import type { MinimumSpeed } from '../fetch/minimum-speed'
import { watchProgress } from './progress'

/** So much is passed to a connection at a time. */
export const STREAM_PIECE_BYTES = 64 * 1024

/**
 * As `watchProgress`, for connections over which nothing is said of single pieces: the system takes the next only
 * once a third of what it holds is on its way, which over a slow line takes longer than any answer.
 */
export const watchStream = (
  limits: MinimumSpeed,
  ...rest: [signal: AbortSignal, now: () => number]
) => watchProgress({ ...limits, idleMs: 2 * limits.idleMs }, ...rest)
