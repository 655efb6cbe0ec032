import { appendFileSync } from 'node:fs'

/**
 * Reports a measurement next to its goal. A run of suites collects the figures in the file named by
 * FIGURES_FILE and prints them at the end.
 * @param topic a heading of docs/reliability.md, in lower case
 */
export function figure(topic: string, what: string, measured: string, goal: string): void {
  const file = process.env.FIGURES_FILE
  if (file) appendFileSync(file, `${JSON.stringify({ topic, what, measured, goal })}\n`)
  else process.stdout.write(`${topic}: ${what}: ${measured} (goal: ${goal})\n`)
}

/** Seconds since `start`, a value of `performance.now()`. */
export function secondsSince(start: number): number {
  return (performance.now() - start) / 1_000
}

export const toSeconds = (seconds: number) => `${seconds.toFixed(1)} s`

/** The number of repetitions: `long` in `npm run test:long`, otherwise `short`. */
export function rounds(short: number, long: number): number {
  return process.env.LONG ? long : short
}
