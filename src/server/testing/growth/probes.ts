import { type GrowthCase, text } from './case'

/** Cases that the suite must report, each for a different reason. */
export const probes: Record<string, GrowthCase> = {
  'a cubic pattern': text((whole) => /^(\S+@\S+\.\S+)$/.test(whole)),
  'a nested loop': text((whole) => {
    let equal = 0
    for (const one of whole) for (const other of whole) if (one === other) equal++
    return equal
  }),
  'unbounded memory': text((whole) => {
    const kept = []
    for (;;) kept.push(Array.from({ length: 1_000 }, () => whole))
  }),
  'retained prefixes': text((whole) =>
    Array.from({ length: whole.length / 512 }, (_, index) => Buffer.allocUnsafeSlow(512 * index)),
  ),
  'an endless loop': text(() => {
    for (;;);
  }),
}
