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

/**
 * The pages that the server answers with, and what each loads once the first scripts run: /auth has it in these
 * already, and the frame of all others comes with the pages of the role of whoever is signed in, or those of a file
 * of its own.
 */
const PAGE_CHUNKS = {
  'auth.html': ['start'],
  'upload.html': ['upload.page'],
  'invitation.html': ['invitation.page'],
  'index.html': ['frame'],
  'administrator.html': ['role-administrator'],
  'supplier.html': ['role-supplier'],
  'retailer.html': ['role-retailer'],
  'retailer-rows.html': ['role-retailer', 'rows'],
  'retailer-shop.html': ['role-retailer', 'shop'],
}

/** The one of Latin text: what is first drawn in another moves when it comes. */
const FIRST_FONT = /\blatin-wght-normal-[\w-]{1,20}\.woff2$/

/** @typedef {{ file: string, name?: string, isEntry?: boolean, imports?: string[], css?: string[] }} BuiltChunk */

/**
 * Writes these pages. Each names all files that it loads at first, so that a browser requests them together, and
 * none keeps it from showing what the page itself has: style sheets and the font come after it. @param {string} folder of the client
 */
export function namePageFiles(folder) {
  const manifestFolder = join(folder, '.vite')
  /** @type {Record<string, BuiltChunk>} */
  const chunks = JSON.parse(readFileSync(join(manifestFolder, 'manifest.json'), 'utf8'))
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const font = Object.values(chunks).find(({ file }) => FIRST_FONT.test(file))?.file
  if (!font) throw new Error('The build has no font')
  const bare = page.replaceAll(/<link rel="(?:stylesheet|modulepreload)" [^<>]*>/g, '')
  for (const [name, loaded] of Object.entries(PAGE_CHUNKS)) {
    const used = withImports(chunks, loaded)
    const styles = used.flatMap(({ css = [] }) => css)
    const hints = [
      ...styles.map((file) => `<link rel="preload" as="style" crossorigin href="/${file}">`),
      ...used
        .filter(({ isEntry }) => !isEntry)
        .map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ]
    const late = [
      // In the head, Chromium would wait for it before it shows anything.
      `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`,
      ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ]
    const named = bare
      .replace('</head>', `${hints.join('')}</head>`)
      .replace('<div id="root">', `${late.join('')}<div id="root">`)
    writeFileSync(join(folder, name), named)
  }
  rmSync(manifestFolder, { recursive: true })
}

/**
 * @param {Record<string, BuiltChunk>} chunks @param {string[]} names
 * @returns {BuiltChunk[]} what runs first, these chunks and all that they import, in the order in which they run
 */
function withImports(chunks, names) {
  const all = Object.values(chunks)
  const entry = all.find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The build has no entry')
  const loaded = names.map((name) => {
    const chunk = name === 'start' ? entry : all.find((other) => other.name === name)
    if (!chunk) throw new Error(`The build has no ${name}`)
    return chunk
  })
  const seen = new Set()
  /** @param {BuiltChunk} added @returns {BuiltChunk[]} */
  const inOrder = (added) => {
    if (seen.has(added)) return []
    seen.add(added)
    const imported = (added.imports ?? []).flatMap((key) => chunks[key] ?? [])
    return [...imported.flatMap(inOrder), added]
  }
  return [entry, ...loaded].flatMap(inOrder)
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
