// Each build has its own folder in dist/, and `dist/current` names the newest, so that a running
// product keeps its files while another build is made.
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { BUILD_PREFIX, setCurrentBuild } from './current-build.mjs'

/** Besides the current one: processes started up to two builds ago may still be running. */
const KEPT_OLDER_BUILDS = 2

/**
 * The folder that this process builds into. The name is stable within a process, because Vite reads
 * its configuration more than once. Names sort by time. @param {string} dist
 */
export function nameBuild(dist) {
  return join(dist, `${BUILD_PREFIX}${Math.round(performance.timeOrigin)}-${process.pid}`)
}

/**
 * The commit that is built: REVISION for a copy without git, such as that in an image; empty if unknown.
 * @param {string} root @param {NodeJS.ProcessEnv} [environment]
 */
export function findRevision(root, { REVISION } = process.env) {
  if (REVISION) return REVISION
  const args = ['--git-dir', join(root, '.git'), 'rev-parse', '--short=12', 'HEAD']
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}

/**
 * Puts the commit into builds, where src/server/config.ts reads it; tests and Vite's dev server do not ask git.
 * @param {string} root @returns {import('vite').Plugin}
 */
export function builtRevision(root) {
  return {
    name: 'built-revision',
    apply: 'build',
    config: () => ({ define: { REVISION: JSON.stringify(findRevision(root)) } }),
  }
}

/**
 * Atomically makes a finished build the current one and removes old ones. With a clock that was set back, the new
 * one is not the last by name. @param {string} build
 */
export function publishBuild(build) {
  setCurrentBuild(build)
  const dist = dirname(build)
  const others = readdirSync(dist).filter(
    (name) => name.startsWith(BUILD_PREFIX) && name !== basename(build),
  )
  for (const old of others.toSorted().slice(0, -KEPT_OLDER_BUILDS))
    removeIfPossible(join(dist, old))
}

/** What another process removes as well, or on Windows has open, is left to the next build. @param {string} folder */
function removeIfPossible(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The new build is complete and in use all the same.
  }
}

/** What a page loads once the first scripts run: the sign-in page, and the frame of all others. */
const NEXT_MODULES = {
  'auth.html': 'pages/auth.page.tsx',
  'upload.html': 'pages/upload.page.tsx',
  'index.html': 'layout/app-shell.tsx',
}

/**
 * Writes pages for /auth and /upload beside that of all other paths. Each names the files that it loads next, so
 * that a browser fetches them together with the first ones. @param {string} folder of the client
 */
export function namePageFiles(folder) {
  const manifestFolder = join(folder, '.vite')
  /** @type {Record<string, { file: string, imports?: string[], css?: string[] }>} */
  const chunks = JSON.parse(readFileSync(join(manifestFolder, 'manifest.json'), 'utf8'))
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  for (const [name, module] of Object.entries(NEXT_MODULES)) {
    const used = [...withImports(chunks, module)].flatMap((key) => chunks[key] ?? [])
    const scripts = used.map(({ file }) => ({ rel: 'rel="modulepreload"', file }))
    const styles = used
      .flatMap(({ css = [] }) => css)
      .map((file) => ({ rel: 'rel="preload" as="style"', file }))
    const links = [...scripts, ...styles]
      .filter(({ file }) => !page.includes(`"/${file}"`))
      .map(({ rel, file }) => `<link ${rel} crossorigin href="/${file}">`)
    writeFileSync(join(folder, name), page.replace('</head>', `${links.join('')}</head>`))
  }
  rmSync(manifestFolder, { recursive: true })
}

/**
 * @param {Record<string, { imports?: string[] }>} chunks @param {string} key
 * @param {Set<string>} [found] @returns {Set<string>} a module and all that it imports
 */
function withImports(chunks, key, found = new Set()) {
  if (!chunks[key]) throw new Error(`The build has no ${key}`)
  found.add(key)
  for (const imported of chunks[key].imports ?? []) {
    if (!found.has(imported)) withImports(chunks, imported, found)
  }
  return found
}

/** Smaller files gain nothing; fonts and images are compressed already. */
const MIN_COMPRESSED_BYTES = 1_000
const COMPRESSIBLE = /\.(?:js|css|html|svg|txt)$/

/**
 * Writes each text file of a folder a second and a third time, as .br and .gz: compressing at the
 * strongest level takes too long for a request. @param {string} folder
 */
export function compressFiles(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!COMPRESSIBLE.test(name)) continue
    const content = readFileSync(join(folder, name))
    if (content.length < MIN_COMPRESSED_BYTES) continue
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
}
