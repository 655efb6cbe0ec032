import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { MINUTE_MS } from '../../../shared/durations'
import { findFreePort } from './free-port'

/** Where Debian keeps the programs of each version. */
const PROGRAMS = '/usr/lib/postgresql'
const USER = 'stockbridge'
const PASSWORD = 'only-for-tests'
const ENVIRONMENT = { LANG: 'C.UTF-8', TZ: 'UTC' }
const START_WITHIN_MS = MINUTE_MS
/** Tests lose nothing when the machine fails. */
const NOT_DURABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

export type PostgresServer = Awaited<ReturnType<typeof startPostgresServer>>

/**
 * Starts a real PostgreSQL server for tests, on a free port of this machine.
 * @param isDurable whether what it has confirmed survives a crash of the machine
 */
export async function startPostgresServer({ isDurable = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'stockbridge-postgres-'))
  const owner = await findOwner()
  if (owner) await chown(folder, owner.uid, owner.gid)
  const programs = await findPrograms()
  await createCluster(programs, folder, owner)
  const port = await findFreePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(isDurable ? [] : NOT_DURABLE),
  ]
  const log = await open(join(folder, 'log'), 'a')
  const launch = async () => {
    const args = ['-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])]
    const options = { ...owner, cwd: '/', env: ENVIRONMENT, stdio: ['ignore', log.fd, log.fd] }
    const child = spawn(join(programs, 'postgres'), args, options as never)
    await untilReady(child, folder)
    return child
  }
  let child = await launch()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGQUIT')
    await exited
  }
  return {
    get pid() {
      return child.pid as number
    },
    /** The address of one of its databases. */
    toUrl: (database: string) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`,
    /** Ends it at once, without the orderly part of a shutdown, as a crash would. */
    kill,
    /** Starts it again after `kill`, on the same port. */
    async start() {
      child = await launch()
    },
    async close() {
      await kill()
      await log.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Owner = { uid: number; gid: number } | undefined

/** PostgreSQL refuses to run as root. */
async function findOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = ['postgres', 'nobody'].flatMap((name) => users.filter(([own]) => own === name))[0]
  return { uid: Number(user?.[2]), gid: Number(user?.[3]) }
}

/** @throws Error when PostgreSQL is not installed */
async function findPrograms(): Promise<string> {
  const versions = await readdir(PROGRAMS)
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0]
  if (!newest) throw new Error('PostgreSQL is missing: install the package postgresql')
  return join(PROGRAMS, newest, 'bin')
}

async function createCluster(programs: string, folder: string, owner: Owner): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  // Not readable by others, if the umask of this process says so.
  if (owner) await chown(passwordFile, owner.uid, owner.gid)
  const options = ['-U', USER, '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8']
  const { status, stderr } = spawnSync(
    join(programs, 'initdb'),
    ['-D', join(folder, 'data'), '--locale=C', '--no-sync', ...options],
    { ...owner, cwd: '/', env: ENVIRONMENT, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
}

/** The server writes its state into the eighth line of a file. */
async function untilReady(child: ChildProcess, folder: string): Promise<void> {
  const expiresAt = performance.now() + START_WITHIN_MS
  while (performance.now() < expiresAt && child.exitCode === null) {
    const lines = await readFile(join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '')
    const [pid, , , , , , , state] = lines.split('\n')
    if (Number(pid) === child.pid && state?.trim() === 'ready') return
    await sleep(10)
  }
  throw new Error(`PostgreSQL did not start: ${await readFile(join(folder, 'log'), 'utf8')}`)
}
