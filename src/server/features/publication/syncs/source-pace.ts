/** A source is slow when it sends less than this on average over five seconds. */
const MIN_BYTES_PER_SECOND = 64 * 1024
const WINDOW_MS = 5_000
/** Progress may be reported for every chunk; samples are kept at most this often. */
const SAMPLE_MS = 250

export type SourcePace = ReturnType<typeof startSourcePace>

/**
 * Measures how fast a run's source sends, from the start of the run to the last byte.
 * @param now a monotonic clock, in milliseconds
 */
export function startSourcePace(now: () => number) {
  let received = 0
  let hasEnded = false
  let hasBeenSlow = false
  const samples = [{ at: now(), bytes: 0 }]

  const isSlow = () => {
    if (hasEnded) return false
    const at = now()
    while (samples[1] && samples[1].at <= at - WINDOW_MS) samples.shift()
    const [oldest] = samples
    const elapsedMs = oldest ? at - oldest.at : 0
    if (!oldest || elapsedMs < WINDOW_MS) return false
    const isSlowNow = received - oldest.bytes < (MIN_BYTES_PER_SECOND * elapsedMs) / 1_000
    hasBeenSlow ||= isSlowNow
    return isSlowNow
  }
  return {
    /** Records the number of bytes received so far. */
    note(bytes: number): void {
      isSlow()
      received = bytes
      const at = now()
      if (at - (samples.at(-1)?.at ?? 0) >= SAMPLE_MS) samples.push({ at, bytes })
    },
    /** Stops measuring: everything has been received. */
    end(): void {
      isSlow()
      hasEnded = true
    },
    /** Whether the source was slow over the last five seconds. */
    isSlow,
    /** Whether the source was slow at any time in the run. */
    wasSlow: () => hasBeenSlow || isSlow(),
  }
}
