// Each build has its own folder in dist/, and `dist/current` links to the newest, so that a running
// product keeps its files while another build is made.
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

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
