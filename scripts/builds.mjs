// Each build has its own folder in dist/, and `dist/current` links to the newest, so that a running
// product keeps its files while another build is made.
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** Processes started up to two builds ago may still be running. */
const KEPT_BUILDS = 3

/**
 * The folder that this process builds into. The name is stable within a process, because Vite reads
 * its configuration more than once. Names sort by time. @param {string} dist
 */
export function nameBuild(dist) {
  return join(dist, `build-${Math.round(performance.timeOrigin)}-${process.pid}`)
}

/** Atomically makes a finished build the current one and removes old ones. @param {string} build */
export function publishBuild(build) {
  const dist = dirname(build)
  const link = join(dist, `link-${process.pid}`)
  mkdirSync(dist, { recursive: true })
  symlinkSync(basename(build), link)
  renameSync(link, join(dist, 'current'))
  const builds = readdirSync(dist).filter((name) => name.startsWith('build-'))
  for (const old of builds.toSorted().slice(0, -KEPT_BUILDS)) {
    rmSync(join(dist, old), { recursive: true, force: true })
  }
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
