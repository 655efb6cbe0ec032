/** Slower than this over any five seconds is slow. */
const MIN_BYTES_PER_SECOND = 64 * 1024
const WINDOW_MS = 5_000
/** Progress may be told for every chunk; so seldom is it remembered. */
const SAMPLE_MS = 250

/** How fast a run's source sends, from the run's beginning until all has come. */
export type SourcePace = {
  /** So many bytes have come in all. */
  note(bytes: number): void
  /** All has come: from here on the run waits for nobody. */
  end(): void
  /** Whether it was slow over the last seconds. */
  isSlow(): boolean
  /** Whether it was slow over any seconds of the run. */
  wasSlow(): boolean
}

/** @param now milliseconds of a clock that never jumps */
export function startSourcePace(now: () => number): SourcePace {
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
    note(bytes) {
      isSlow()
      received = bytes
      const at = now()
      if (at - (samples.at(-1)?.at ?? 0) >= SAMPLE_MS) samples.push({ at, bytes })
    },
    end() {
      isSlow()
      hasEnded = true
    },
    isSlow,
    wasSlow: () => hasBeenSlow || isSlow(),
  }
}
