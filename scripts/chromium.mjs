// Finds Chromium for the browser tests, and installs Debian's where that can be done.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export function findChromium() {
  return [process.env.CHROMIUM_PATH, ...PLACES].find((path) => path && existsSync(path))
}

/** @returns {{ path: string, problem: '' } | { path: undefined, problem: string }} */
export function ensureChromium() {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (!findChromium() && isDebianRoot) installChromium()
  const path = findChromium()
  if (path) return { path, problem: '' }
  const problem = 'Chromium is missing: install the package chromium, or name it in CHROMIUM_PATH'
  return { path: undefined, problem }
}

function installChromium() {
  process.stdout.write('\n── installing Chromium\n')
  aptGet('update')
  aptGet('install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation')
}

/** @param {string[]} args */
function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
