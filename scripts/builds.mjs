// Every build has a folder of its own below dist/, and `dist/current` names the newest: a product that
// runs keeps the files it was started with while another one is built.
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** For what was started two builds ago and still runs. */
const KEPT_BUILDS = 3

/**
 * The folder that this process builds into: the same whenever Vite reads its configuration anew. Names
 * sort by time. @param {string} dist
 */
export function nameBuild(dist) {
  return join(dist, `build-${Math.round(performance.timeOrigin)}-${process.pid}`)
}

/** Makes a finished build the current one, in one step. @param {string} build */
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
