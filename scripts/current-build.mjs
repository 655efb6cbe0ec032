// `dist/current` is a file with the name of the folder of the newest build. It is no link: Windows lets only
// administrators make one, and cannot put it in the place of another one.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The names of builds begin with it. */
export const BUILD_PREFIX = 'build-'
const NAME = /^build-[\w-]+$/

/** Windows replaces no file that somebody has open. Readers of the name have it open for a moment only. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY'])
const ATTEMPTS = 100
const PAUSE_MS = 10

/**
 * The folder of the current build; undefined when there is none. @param {string} dist
 * @returns {string | undefined}
 */
export function findCurrentBuild(dist) {
  const name = readName(join(dist, 'current'))
  return NAME.test(name) ? join(dist, name) : undefined
}

/**
 * The address of a program of the current build, for `import`: Windows takes a path such as C:\ for one that begins
 * with a scheme, and characters such as # and % have a meaning in addresses.
 * @param {string} dist @param {string} name @returns {URL | undefined} undefined when there is no build
 */
export function findProgram(dist, name) {
  const build = findCurrentBuild(dist)
  return build ? pathToFileURL(join(build, 'server', `${name}.js`)) : undefined
}

/**
 * Makes a finished build the current one, in one step. A process that is killed before leaves nothing beside the
 * folders of builds. @param {string} build
 */
export function setCurrentBuild(build) {
  const draft = join(build, 'name')
  writeFileSync(draft, basename(build))
  replace(draft, join(dirname(build), 'current'))
}

/** @param {string} from @param {string} to */
function replace(from, to) {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error)
      if (attempt === ATTEMPTS || !HELD.has(code)) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}

/** @param {string} path @returns {string} empty without such a file; older versions have a link to a folder there */
function readName(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
