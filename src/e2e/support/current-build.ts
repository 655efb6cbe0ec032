import { execFileSync } from 'node:child_process'

/** Global setup: builds the product unless the build is newer than the sources. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/run.mjs', 'migrate', '--help'])
}
