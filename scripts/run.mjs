// Builds what is missing or stale, then runs one of the programs named in vite.config.ts, here in
// this process: npm start is `run.mjs main`.
import './runtime.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BUILD_WAIT_MS = 10 * 60_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const [name = 'main'] = process.argv.splice(2, 1)
const program = join(dist, 'current/server', `${name}.js`)

/** @param {string} path @returns {number} when the newest file at or below the path was changed */
function newestChange(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(0, ...readdirSync(path).map((child) => newestChange(join(path, child))))
}

function isStale() {
  const outputs = [program, join(dist, 'current/client/index.html')]
  if (!outputs.every((path) => existsSync(path))) return true
  // An installation without sources runs what was built.
  if (!existsSync(join(root, 'src'))) return false
  const inputs = ['src', 'scripts', 'package-lock.json', 'vite.config.ts', 'tsconfig.json']
  const changed = Math.max(...inputs.map((path) => newestChange(join(root, path))))
  return outputs.some((path) => statSync(path).mtimeMs < changed)
}

/** In a process of its own: what it takes of memory, four times what the product does, goes with it. */
function build() {
  process.stderr.write('Building …\n')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--app', '--logLevel', 'warn']
  // Whoever starts it, a test say: React for development behaves differently.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  process.stderr.write(`It could not be built. It is built with: npm ci && npm run build\n`)
  process.exit(1)
}

if (isStale()) {
  // One build at a time: whoever comes second waits, and finds it done. The lock of SQLite's ends
  // with its process, however that ends.
  const { default: Database } = await import('better-sqlite3')
  mkdirSync(dist, { recursive: true })
  const lock = new Database(join(dist, 'build.lock'), { timeout: BUILD_WAIT_MS })
  lock.exec('begin exclusive')
  if (isStale()) build()
  lock.close()
}
await import(program)
