import { appendFileSync } from 'node:fs'

/**
 * Reports what a suite has measured, beside its goal. `npm test` collects the figures in the file named
 * by FIGURES_FILE and prints them when it ends.
 * @param topic a heading of docs/reliability.md, in small letters
 */
export function figure(topic: string, what: string, measured: string, goal: string): void {
  const file = process.env.FIGURES_FILE
  if (file) appendFileSync(file, `${JSON.stringify({ topic, what, measured, goal })}\n`)
  else process.stdout.write(`${topic}: ${what}: ${measured} (goal: ${goal})\n`)
}

/** Seconds since `start`, as `performance.now()` gave it. */
export function secondsSince(start: number): number {
  return (performance.now() - start) / 1_000
}

export const toSeconds = (seconds: number) => `${seconds.toFixed(1)} s`

/** How often to repeat: `short` in `npm test`, `long` in `npm run test:long`. */
export function rounds(short: number, long: number): number {
  return process.env.LONG ? long : short
}
