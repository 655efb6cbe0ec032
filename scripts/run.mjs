// Builds if the build is missing or stale, then runs a program named in vite.config.ts in this
// process: npm start is `run.mjs main`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { WITHOUT_DEBUGGER } from './runtime.mjs'

const BUILD_WAIT_MS = 10 * 60_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const [name = 'main'] = process.argv.splice(2, 1)
const program = join(dist, 'current/server', `${name}.js`)

/** @param {string} path @returns {number} the newest mtime at or below the path, in milliseconds */
function newestChange(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(0, ...readdirSync(path).map((child) => newestChange(join(path, child))))
}

function isStale() {
  const outputs = [program, join(dist, 'current/client/index.html')]
  if (!outputs.every((path) => existsSync(path))) return true
  // An installation without sources, such as the Docker image, cannot be stale.
  if (!existsSync(join(root, 'src'))) return false
  const inputs = ['src', 'scripts', 'package-lock.json', 'vite.config.ts', 'tsconfig.json']
  const changed = Math.max(...inputs.map((path) => newestChange(join(root, path))))
  return outputs.some((path) => statSync(path).mtimeMs < changed)
}

/** Builds in a child process, because a build takes four times the memory of the product. */
function build() {
  process.stderr.write('Building …\n')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [...WITHOUT_DEBUGGER, vite, 'build', '--app', '--logLevel', 'warn']
  // Overrides the caller's NODE_ENV, such as a test's: it selects React's development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  process.stderr.write(`The build failed. Run npm ci && npm run build.\n`)
  process.exit(1)
}

if (isStale()) {
  // One build at a time: a second process waits and then finds the build done. A SQLite lock is
  // released when its process ends, however it ends.
  const { default: Database } = await import('better-sqlite3')
  mkdirSync(dist, { recursive: true })
  const lock = new Database(join(dist, 'build.lock'), { timeout: BUILD_WAIT_MS })
  lock.exec('begin exclusive')
  if (isStale()) build()
  lock.close()
}
await import(program)
