import { type GrowthCase, text } from './case'

/** What the suite must find: each breaks a rule in a way of its own. */
export const probes: Record<string, GrowthCase> = {
  'a cubic pattern': text((whole) => /^(\S+@\S+\.\S+)$/.test(whole)),
  'a loop in a loop': text((whole) => {
    let equal = 0
    for (const one of whole) for (const other of whole) if (one === other) equal++
    return equal
  }),
  'a memory without an end': text((whole) => {
    const kept = []
    for (;;) kept.push(Array.from({ length: 1_000 }, () => whole))
  }),
  'keeping every beginning': text((whole) =>
    Array.from({ length: whole.length / 512 }, (_, index) => Buffer.allocUnsafeSlow(512 * index)),
  ),
  'a loop without an end': text(() => {
    for (;;);
  }),
}
