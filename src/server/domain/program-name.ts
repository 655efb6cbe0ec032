import { readClientFamily } from './client-family'

/** What the `User-Agent` of a browser contains, in the order of asking: systems also name those they come from. */
const SYSTEMS: readonly [part: string, system: string][] = [
  ['iphone', 'iPhone'],
  ['ipad', 'iPad'],
  ['android', 'Android'],
  ['windows', 'Windows'],
  ['cros', 'ChromeOS'],
  ['mac os x', 'macOS'],
  ['linux', 'Linux'],
]

/** How far a `User-Agent` is read. */
const MAX_CHARACTERS = 300

/** What somebody recognises a browser or program by: `Firefox on Windows`, `curl`, `Another program`. */
export function describeProgram(userAgent: string | undefined): string {
  const family = readClientFamily(userAgent)
  const text = (userAgent ?? '').slice(0, MAX_CHARACTERS).toLowerCase()
  if (!text.startsWith('mozilla/')) return family
  const system = SYSTEMS.find(([part]) => text.includes(part))?.[1]
  return system === undefined ? family : `${family} on ${system}`
}
