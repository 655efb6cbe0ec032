// Builds if the build is missing or stale, then runs a program named in vite.config.ts in this
// process: npm start is `run.mjs main`.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import './runtime.mjs'
import { buildProduct, checkBuildPackages } from './build-product.mjs'
import { findProgram } from './current-build.mjs'

const BUILD_WAIT_MS = 10 * 60_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const [name = 'main'] = process.argv.splice(2, 1)

/** @param {string} path @returns {number} the newest mtime at or below the path, in milliseconds */
function newestChange(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  // Below src, packages' tools keep caches in a folder of this name.
  const children = readdirSync(path).filter((child) => child !== 'node_modules')
  return Math.max(0, ...children.map((child) => newestChange(join(path, child))))
}

/** The program in the current build; undefined if the build is missing or stale. */
function findFresh() {
  const program = findProgram(dist, name)
  if (!program) return undefined
  const outputs = [program, new URL('../client/index.html', program)]
  if (!outputs.every((file) => existsSync(file))) return undefined
  // An installation without sources, such as the Docker image, cannot be stale.
  if (!existsSync(join(root, 'src'))) return program
  const inputs = ['src', 'scripts', 'vite.config.ts', 'tsconfig.json']
  const changed = Math.max(...inputs.map((path) => newestChange(join(root, path))))
  if (outputs.some((file) => statSync(file).mtimeMs < changed)) return undefined
  return hasOtherPackages(program) ? undefined : program
}

/**
 * By content: npm prune writes the same list of packages again, after the build.
 * @param {URL} program
 */
function hasOtherPackages(program) {
  const lists = [join(root, 'package-lock.json'), new URL('../package-lock.json', program)]
  const [installed, built] = lists.map((file) =>
    existsSync(file) ? readFileSync(file, 'utf8') : '',
  )
  return installed !== built
}

async function buildAlone() {
  checkBuildPackages()
  // One build at a time: a second process waits and then finds the build done. A SQLite lock is
  // released when its process ends, however it ends.
  const { default: Database } = await import('better-sqlite3')
  mkdirSync(dist, { recursive: true })
  const lock = new Database(join(dist, 'build.lock'), { timeout: BUILD_WAIT_MS })
  lock.exec('begin exclusive')
  try {
    if (!findFresh()) buildProduct(['--logLevel', 'warn'])
  } finally {
    lock.close()
  }
  return findProgram(dist, name)
}

const program = findFresh() ?? (await buildAlone())
if (!program) throw new Error('What was built has not become the current build')
await import(program.href)
