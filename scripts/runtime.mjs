// Imported first by whatever is started with `node scripts/…`: it goes on with the Node that the
// installation brings along, whatever the machine has. npm 11 puts that one first by itself; older
// ones, systemd and people do not. This file must run on Node 18, and so must what its importers
// import statically: all of that is read before the first line runs.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_MAJOR = 22

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const runtime = findRuntime()
if (runtime && isOther(runtime)) await continueOn(runtime)

if (Number.parseInt(process.versions.node) < OLDEST_MAJOR) {
  process.stderr.write(
    `Stockbridge needs Node ${OLDEST_MAJOR} or newer and this is ${process.version}: ` +
      'run npm ci without --omit=optional, which brings one along, or install a newer one.\n',
  )
  process.exit(1)
}

/** Of package.json's optional dependencies, npm installs the one for this system and processor. */
function findRuntime() {
  const isWindows = process.platform === 'win32'
  const system = `-${isWindows ? 'win' : process.platform}-${process.arch}`
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.keys(optionalDependencies)
    .filter((name) => name.endsWith(system))
    .map((name) => join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node'))
    .find((path) => existsSync(path))
}

/** Whether `path` is not the program that runs this. @param {string} path */
function isOther(path) {
  const [found, own] = [statSync(path), statSync(process.execPath)]
  return found.ino !== own.ino || found.dev !== own.dev
}

/**
 * Runs the same command on `node`, passes signals on, and ends as it does. In a group of its own, it
 * gets a terminal's Ctrl-C once. Resolves where `node` cannot be started: on musl, say.
 * @param {string} node @returns {Promise<void>}
 */
function continueOn(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    detached: process.platform !== 'win32',
  })
  child.once('spawn', () => {
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => child.kill(signal))
    }
  })
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
  return new Promise((resolve) => {
    child.on('error', () => {
      if (child.pid === undefined) resolve()
    })
  })
}
