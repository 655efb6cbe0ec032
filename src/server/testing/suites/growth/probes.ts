import type { Task } from './measure'
import { TEXTS } from './texts'

/** A few texts show the growth, and measuring all of them would take a minute. */
const NAMES = new Set(['letters "x"', 'headers "a@"'])
const inputs = Object.fromEntries(Object.entries(TEXTS).filter(([name]) => NAMES.has(name)))

/** Enough for each to be noticed. */
const LARGEST = 16 * 1024
/** The difference between prefixes: all of them together have 32 MB. */
const STEP = 4

const probe = (run: (whole: string) => unknown): Task => ({
  run: run as Task['run'],
  inputs,
  largest: LARGEST,
})

const nestedLoop = probe((whole) => {
  let equal = 0
  for (const one of whole) for (const other of whole) if (one === other) equal++
  return equal
})

/** Cases that the suite must report, each for a different reason. */
export const probes: Record<string, Task> = {
  // Twice as long: a fast machine does not notice it before.
  'a backtracking pattern': {
    ...probe((whole) => /^\S+@\S+$/.test(whole)),
    largest: 2 * LARGEST,
  },
  'a nested loop': nestedLoop,
  'a nested loop over what may be larger': { ...nestedLoop, long: () => '' },
  // In large pieces: collecting garbage from a heap that fills up slowly takes half a minute.
  'unbounded memory': probe((whole) => {
    const kept = []
    for (;;) kept.push(Array.from<string>({ length: 1_000_000 }).fill(whole))
  }),
  'prefixes that are freed at the end': {
    ...probe(() => undefined),
    run(whole, sample) {
      const prefixes: Buffer[] = []
      for (let at = 0; at < (whole as string).length; at += STEP) {
        prefixes.push(Buffer.allocUnsafeSlow(at))
        sample()
      }
      return prefixes.length
    },
  },
  'a long input': {
    ...probe(() => undefined),
    run: (input) => input === 'long' && Buffer.alloc(2_048 * LARGEST),
    long: () => 'long',
  },
  'retained prefixes': probe((whole) =>
    Array.from({ length: whole.length / STEP }, (_, index) => Buffer.allocUnsafeSlow(STEP * index)),
  ),
  'an endless loop': probe(() => {
    for (;;);
  }),
}
