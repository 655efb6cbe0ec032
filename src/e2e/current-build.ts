import { execFileSync } from 'node:child_process'

/** Builds the product before the first test runs, unless the build is newer than the sources. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/run.mjs', 'migrate', '--help'])
}
