// Imported first by every script started with `node scripts/…`: restarts the script with the Node
// that npm installed as an optional dependency. npm 11 puts that one first in PATH; older versions,
// systemd and shells do not. This file must run on Node 18, and so must all static imports of the
// scripts, which are loaded before its first line runs.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// As in src/server/process/without-debugger.mjs, which the build has: no signal opens the debugger of a script, nor
// that of this process while it waits for the one that it restarts as.
process.on('SIGUSR1', () => undefined)
const FLAG = '--disable-sigusr1'
/** The options for Node processes that have no such listener. @type {readonly string[]} */
export const WITHOUT_DEBUGGER = process.allowedNodeEnvironmentFlags.has(FLAG) ? [FLAG] : []

const OLDEST_MAJOR = 22
const IS_WINDOWS = process.platform === 'win32'

/**
 * How to start a child that Ctrl-C shall reach only once: by the signal that its parent passes on. On Windows the
 * console tells both.
 */
export const OWN_GROUP = { detached: !IS_WINDOWS }

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const runtime = findRuntime()
if (runtime && isOther(runtime)) await continueOn(runtime)

if (Number.parseInt(process.versions.node) < OLDEST_MAJOR) {
  process.stderr.write(
    `Stockbridge needs Node ${OLDEST_MAJOR} or newer, and this is ${process.version}: ` +
      'run npm ci without --omit=optional, which installs one, or install a newer Node.\n',
  )
  process.exit(1)
}

/** The path of the Node that npm installed for this platform; undefined without one. */
function findRuntime() {
  const system = `-${IS_WINDOWS ? 'win' : process.platform}-${process.arch}`
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.keys(optionalDependencies)
    .filter((name) => name.endsWith(system))
    .map((name) => join(root, 'node_modules', name, 'bin', IS_WINDOWS ? 'node.exe' : 'node'))
    .find((path) => existsSync(path))
}

/** Whether `path` is another executable than the running one. @param {string} path */
function isOther(path) {
  const [found, own] = [statSync(path), statSync(process.execPath)]
  return found.ino !== own.ino || found.dev !== own.dev
}

/**
 * Runs the same command on `node`, forwards signals, and exits with its code or signal. On Windows, where the console
 * tells the child too, to send a signal would be to end it at once. Resolves only if `node` cannot be started, for
 * example on musl.
 * @param {string} node @returns {Promise<void>}
 */
function continueOn(node) {
  // Before there is a child: a signal that came between would end this process alone, and leave the child.
  for (const signal of FORWARDED) process.on(signal, forward)
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    ...OWN_GROUP,
  })
  /** @param {NodeJS.Signals} signal */
  function forward(signal) {
    if (!IS_WINDOWS) child.kill(signal)
  }
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
  return new Promise((resolve) => {
    child.on('error', () => {
      if (child.pid !== undefined) return
      for (const signal of FORWARDED) process.off(signal, forward)
      resolve()
    })
  })
}
