// Builds if the build is missing or stale, then runs a program named in vite.config.ts in this
// process: npm start is `run.mjs main`.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import './runtime.mjs'
import { buildProduct, checkBuildPackages } from './build-product.mjs'

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
  const inputs = ['src', 'scripts', 'vite.config.ts', 'tsconfig.json']
  const changed = Math.max(...inputs.map((path) => newestChange(join(root, path))))
  return outputs.some((path) => statSync(path).mtimeMs < changed) || hasOtherPackages()
}

/** By content: npm prune writes the same list of packages again, after the build. */
function hasOtherPackages() {
  const [installed, built] = [root, join(dist, 'current')].map((folder) => {
    const path = join(folder, 'package-lock.json')
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  })
  return installed !== built
}

if (isStale()) {
  checkBuildPackages()
  // One build at a time: a second process waits and then finds the build done. A SQLite lock is
  // released when its process ends, however it ends.
  const { default: Database } = await import('better-sqlite3')
  mkdirSync(dist, { recursive: true })
  const lock = new Database(join(dist, 'build.lock'), { timeout: BUILD_WAIT_MS })
  lock.exec('begin exclusive')
  if (isStale()) buildProduct(['--logLevel', 'warn'])
  lock.close()
}
await import(program)
