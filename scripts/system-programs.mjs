// Finds the system programs that tests, the fleet and the benchmark need, and installs them with apt-get when run
// as root on Debian.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ path: string, problem: '' } | { path: undefined, problem: string }} Program */

/** Where Debian keeps PostgreSQL's programs, by version. */
const POSTGRES = '/usr/lib/postgresql'
/** Chromium without a user interface, which takes a quarter less of the processor. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

export function findChromium() {
  return findFirst([
    process.env.CHROMIUM_PATH,
    HEADLESS_SHELL,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ])
}

function findRedis() {
  return findFirst(['/usr/bin/redis-server', '/usr/local/bin/redis-server'])
}

function findNginx() {
  return findFirst(['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'])
}

/** The newest of Debian's PostgreSQL servers. */
function findPostgres() {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).map(Number) : []
  const newestFirst = versions.toSorted((one, other) => other - one)
  return findFirst(newestFirst.map((version) => `${POSTGRES}/${version}/bin/postgres`))
}

/** @param {(string | undefined)[]} paths */
function findFirst(paths) {
  return paths.find((path) => path && existsSync(path))
}

export function ensureChromium() {
  const problem = 'Chromium is missing: install the package chromium, or set CHROMIUM_PATH'
  const isOwn = process.env.CHROMIUM_PATH !== undefined
  if (!isOwn && !existsSync(HEADLESS_SHELL) && isDebianRoot()) {
    install(['chromium-headless-shell', 'fonts-liberation'])
  }
  return ensure(findChromium, ['chromium', 'fonts-liberation'], problem)
}

export function ensureRedis() {
  return ensure(findRedis, ['redis-server'], 'Redis is missing: install the package redis-server')
}

export function ensureNginx() {
  return ensure(findNginx, ['nginx-light'], 'nginx is missing: install the package nginx')
}

/** The programs beside which `npm run bench` measures the product. @returns {Program[]} */
export function ensurePeers() {
  const peers = ['curl', 'openssl'].map((name) =>
    ensure(
      () => findFirst([`/usr/bin/${name}`, `/usr/local/bin/${name}`]),
      [name],
      `${name} is missing: install the package ${name}`,
    ),
  )
  return [ensureNginx(), ...peers]
}

/** Ceph's gateway, a server with S3's interface. */
export function ensureS3() {
  const problem = 'Ceph is missing: install the packages radosgw, ceph-mon and ceph-osd'
  return ensure(() => findFirst(['/usr/bin/radosgw']), ['radosgw', 'ceph-mon', 'ceph-osd'], problem)
}

/** Where vsftpd is unpacked: as a package, it would take the place of ProFTPD. */
const UNPACKED = fileURLToPath(new URL('../node_modules/.cache/vsftpd', import.meta.url))

/** Programs with which people send and fetch files over SFTP. @returns {Program[]} */
export function ensureFileClients() {
  return [
    ['/usr/bin/sftp', 'openssh-client'],
    ['/usr/bin/lftp', 'lftp'],
    ['/usr/bin/curl', 'curl'],
  ].map(([path = '', name = '']) =>
    ensure(() => findFirst([path]), [name], `${path} is missing: install the package ${name}`),
  )
}

/** Programs that open workbooks. @returns {Program[]} */
export function ensureBookReaders() {
  return [
    ['/usr/bin/soffice', 'libreoffice-calc-nogui'],
    ['/usr/lib/python3/dist-packages/openpyxl', 'python3-openpyxl'],
    ['/usr/lib/python3/dist-packages/pandas', 'python3-pandas'],
  ].map(([path = '', name = '']) =>
    ensure(() => findFirst([path]), [name], `${path} is missing: install the package ${name}`),
  )
}

/** Servers of SFTP and FTP, from which files are fetched. @returns {Program[]} */
export function ensureFileServers() {
  const missing = (/** @type {string} */ name, /** @type {string} */ packages) =>
    `${name} is missing: install the package ${packages}`
  return [
    ensure(
      () => findFirst(['/usr/sbin/sshd']),
      ['openssh-server'],
      missing('OpenSSH', 'openssh-server'),
    ),
    ensure(
      () => findFirst(['/usr/sbin/proftpd']),
      ['proftpd-core', 'proftpd-mod-crypto'],
      missing('ProFTPD', 'proftpd-core'),
    ),
    ensure(findVsftpd, unpackVsftpd, missing('vsftpd', 'vsftpd')),
  ]
}

const findVsftpd = () => findFirst(['/usr/sbin/vsftpd', join(UNPACKED, 'usr/sbin/vsftpd')])

function unpackVsftpd() {
  install(['libwrap0'])
  mkdirSync(UNPACKED, { recursive: true })
  spawnSync('apt-get', ['download', 'vsftpd'], { cwd: UNPACKED, stdio: 'ignore' })
  const name = readdirSync(UNPACKED).find((file) => file.endsWith('.deb'))
  if (name) spawnSync('dpkg', ['-x', name, '.'], { cwd: UNPACKED, stdio: 'ignore' })
}

/** A client and servers of mail, which send files to the product or have them fetched. @returns {Program[]} */
export function ensureMailPrograms() {
  const programs = [
    { path: '/usr/bin/swaks', name: 'swaks' },
    { path: '/usr/sbin/postfix', name: 'postfix' },
    { path: '/usr/sbin/dovecot', name: 'dovecot-imapd' },
  ]
  return programs.map(({ path, name }) =>
    ensure(() => findFirst([path]), [name], `${name} is missing: install the package ${name}`),
  )
}

/** Programs that read the files in `deploy` as those for whom they are made. @returns {Program[]} */
export function ensureDeployPrograms() {
  return [
    ['/usr/bin/kubectl', 'kubernetes-client'],
    ['/usr/bin/caddy', 'caddy'],
    ['/usr/bin/promtool', 'prometheus'],
    ['/usr/bin/systemd-analyze', 'systemd'],
  ].map(([path = '', name = '']) =>
    ensure(() => findFirst([path]), [name], `${path} is missing: install the package ${name}`),
  )
}

export function ensurePostgres() {
  const problem = 'PostgreSQL is missing: install the package postgresql'
  return ensure(findPostgres, ['postgresql'], problem)
}

/**
 * @param {() => string | undefined} find
 * @param {string[] | (() => void)} packages those to install, or what does so in another way
 * @param {string} problem
 * @returns {Program}
 */
function ensure(find, packages, problem) {
  if (!find() && isDebianRoot()) {
    if (typeof packages === 'function') packages()
    else install(packages)
  }
  const path = find()
  return path ? { path, problem: '' } : { path: undefined, problem }
}

function isDebianRoot() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/** @param {string[]} packages */
function install(packages) {
  process.stderr.write(`\n── installing ${packages.join(', ')}\n`)
  aptGet('update')
  aptGet('install', '-y', '--no-install-recommends', ...packages)
}

/** @param {string[]} args */
function aptGet(...args) {
  // RUNLEVEL keeps the package from starting its server.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
