import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { WITHOUT_DEBUGGER } from './runtime.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const vite = join(root, 'node_modules/vite/bin/vite.js')

/** Ends this process with what to do when the packages are missing that only the build needs. */
export function checkBuildPackages() {
  if (existsSync(vite)) return
  process.stderr.write(
    'Stockbridge must be built, and what builds it is not installed: NODE_ENV=production and --omit=dev ' +
      'leave it out. Run npm ci --include=dev && npm run build.\n',
  )
  process.exit(1)
}

/**
 * Builds in a child process, because a build takes four times the memory of the product, and ends this
 * one if the build fails.
 * @param {string[]} [options] of vite build
 */
export function buildProduct(options = []) {
  process.stderr.write('Building …\n')
  const args = [...WITHOUT_DEBUGGER, vite, 'build', '--app', ...options]
  // Overrides the caller's NODE_ENV, such as a test's: it selects React's development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  process.stderr.write('The build failed. Run npm ci --include=dev && npm run build.\n')
  process.exit(1)
}
