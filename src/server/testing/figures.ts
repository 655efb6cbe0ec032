import { appendFileSync } from 'node:fs'

/**
 * Tells what a suite has measured of a promise, beside its goal. `npm test` collects the figures in
 * the file named by FIGURES_FILE and prints them when it ends.
 */
export function figure(promise: string, what: string, measured: string, goal: string): void {
  const file = process.env.FIGURES_FILE
  if (file) appendFileSync(file, `${JSON.stringify({ promise, what, measured, goal })}\n`)
  else process.stdout.write(`${promise}: ${what}: ${measured} (goal: ${goal})\n`)
}

/** Seconds since `start`, as `performance.now()` gave it. */
export function secondsSince(start: number): number {
  return (performance.now() - start) / 1_000
}

export const toSeconds = (seconds: number) => `${seconds.toFixed(1)} s`

/** How often to repeat: seldom in `npm test`, as often as was promised in `npm run test:long`. */
export function rounds(short: number, long: number): number {
  return process.env.LONG ? long : short
}
