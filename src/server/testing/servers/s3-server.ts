import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { BucketPlace } from '../../storage/s3/bucket'
import { findFreePort } from './free-port'

const DISK_BYTES = 10 * 1024 ** 3
const START_WITHIN_MS = 120_000
const STOP_WITHIN_MS = 20_000

export type S3Server = Awaited<ReturnType<typeof startS3Server>>

/**
 * Starts a real S3 server for tests on free ports of this machine: Ceph's gateway, with its own storage.
 * @throws Error when Ceph is not installed or does not start
 */
export async function startS3Server() {
  const folder = await mkdtemp(join(tmpdir(), 'stockbridge-s3-'))
  const port = await findFreePort()
  const file = await configure(folder, port)
  const children = new Map<string, ChildProcess>()
  const launch = (name: string, program: string, args: string[]) => {
    const log = openSync(join(folder, `${name}.out`), 'a')
    const child = spawn(program, ['-c', file, ...args, '-f'], { stdio: ['ignore', log, log] })
    closeSync(log)
    children.set(name, child)
  }
  const startGateway = async () => {
    launch('gateway', 'radosgw', ['-n', 'client.gateway'])
    await untilAnswered(`http://127.0.0.1:${port}/`)
  }
  try {
    createMonitor(folder, file)
    launch('monitor', 'ceph-mon', ['-i', 'a'])
    await createStorage(folder, file)
    launch('storage', 'ceph-osd', ['-i', '0'])
    await startGateway()
    const keys = createUser(file)
    return {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      ...keys,
      /** Its processes; the first answers requests. */
      pids: () => ['gateway', 'storage', 'monitor'].map((name) => children.get(name)?.pid ?? 0),
      /** Ends the gateway at once, as a crash would. */
      kill: () => end(children.get('gateway'), 'SIGKILL'),
      /** Suspends the gateway with its connections open. */
      pause: () => void children.get('gateway')?.kill('SIGSTOP'),
      /** Starts the gateway again after `kill`, on the same port. */
      start: startGateway,
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }

  async function closeAll() {
    // One that is suspended takes no other signal.
    children.get('gateway')?.kill('SIGCONT')
    for (const name of ['gateway', 'storage', 'monitor']) await end(children.get(name), 'SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await exited
  clearTimeout(timer)
}

/** One monitor, one storage process on a file, one gateway; nothing is replicated. */
async function configure(folder: string, port: number): Promise<string> {
  const id = crypto.randomUUID()
  const monitorPort = await findFreePort()
  const file = join(folder, 'ceph.conf')
  await mkdir(join(folder, 'run'))
  await writeFile(
    file,
    `[global]
fsid = ${id}
mon initial members = a
mon host = [v2:127.0.0.1:${monitorPort}/0]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon warn on pool no redundancy = false
mon allow pool size one = true
run dir = ${folder}/run
log file = ${folder}/$name.log
admin socket = ${folder}/run/$name.asok
pid file = ${folder}/run/$name.pid
debug ms = 0
keyring = ${folder}/keyring
[mon.a]
mon data = ${folder}/monitor
mon data avail crit = 1
mon data avail warn = 2
[osd]
osd data = ${folder}/storage
osd objectstore = bluestore
bluestore block create = true
bluestore block size = ${DISK_BYTES}
osd memory target = 939524096
bluestore cache autotune = false
bluestore cache size = 134217728
osd crush update on start = false
osd fast shutdown = true
[client.gateway]
rgw data = ${folder}/run
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw thread pool size = 64
rgw enable usage log = false
`,
    { mode: 0o600 },
  )
  return file
}

function createMonitor(folder: string, file: string): void {
  const keyring = join(folder, 'keyring')
  const addKey = (...args: string[]) => run('ceph-authtool', [keyring, '--gen-key', ...args])
  addKey('--create-keyring', '-n', 'mon.', '--cap', 'mon', 'allow *')
  addKey('-n', 'client.admin', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *')
  addKey('-n', 'osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *')
  addKey('-n', 'client.gateway', '--cap', 'mon', 'allow rwx', '--cap', 'osd', 'allow rwx')
  const map = join(folder, 'monmap')
  const [fsid, host] = ['fsid', 'mon_host'].map((name) =>
    run('ceph-conf', ['-c', file, '--lookup', name]).trim(),
  )
  run('monmaptool', ['--create', '--clobber', '--addv', 'a', `${host}`, '--fsid', `${fsid}`, map])
  run('ceph-mon', ['-c', file, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring])
}

async function createStorage(folder: string, file: string): Promise<void> {
  const ceph = (...args: string[]) => run('ceph', ['-c', file, '-n', 'client.admin', ...args])
  const id = crypto.randomUUID()
  await mkdir(join(folder, 'storage'))
  ceph('osd', 'new', id, '0')
  run('ceph-osd', ['-c', file, '-i', '0', '--mkfs', '--osd-uuid', id])
  ceph('osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=localhost')
}

function createUser(file: string) {
  const keys = { accessKeyId: 'STOCKBRIDGETESTKEY01', secretAccessKey: 'only-for-tests' }
  const user = ['--uid', 'app', '--display-name', 'app']
  const key = ['--access-key', keys.accessKeyId, '--secret-key', keys.secretAccessKey]
  run('radosgw-admin', ['-c', file, '-n', 'client.admin', 'user', 'create', ...user, ...key])
  return keys
}

/** @throws Error with what the program printed, when it fails */
function run(program: string, args: string[]): string {
  const options = { encoding: 'utf8', timeout: START_WITHIN_MS } as const
  const { status, stdout, stderr, error } = spawnSync(program, args, options)
  if (status === 0) return stdout
  throw new Error(`${program} ${args[0]} failed: ${error?.message ?? stderr}`)
}

async function untilAnswered(url: string): Promise<void> {
  const giveUpAt = Date.now() + START_WITHIN_MS
  while (!(await fetch(url).then(Boolean, () => false))) {
    if (Date.now() > giveUpAt) throw new Error('The S3 server does not answer')
    await sleep(100)
  }
}

/** Creates the bucket `test` and returns where it is. */
export async function createTestBucket(server: S3Server): Promise<BucketPlace> {
  const { endpoint, region, accessKeyId, secretAccessKey } = server
  const place = { bucket: 'test', prefix: '', endpoint, region, accessKeyId, secretAccessKey }
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: place })
  await client.send(new CreateBucketCommand({ Bucket: place.bucket }))
  client.destroy()
  return place
}
