import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { listTree } from '../../src/e2e/support/process-tree'
import { ADMIN_PASSWORD } from '../../src/e2e/support/product'
import { startPostgresServer } from '../../src/server/testing/servers/postgres-server'
import { startRedisServer } from '../../src/server/testing/servers/redis-server'
import { createTestBucket, startS3Server } from '../../src/server/testing/servers/s3-server'
import type { Cleanups } from '../bench/cleanups'
import { startLoadBalancer } from './load-balancer'
import { signalAll, type Part } from './part'
import { startProgramPart, type ProgramPart } from './start-program'

export type FleetSize = { webs: number; workers: number }

/** What processes of the product need besides themselves. */
export type Servers = {
  parts: Part[]
  /** The variables of each process but for its data folder. */
  env: Record<string, string>
}

/** The product on real servers: what a large installation consists of, on one machine. */
export type Fleet = {
  /** Of the load balancer. */
  url: string
  webs: ProgramPart[]
  workers: ProgramPart[]
}

/**
 * Starts PostgreSQL, Redis and an S3 server, all empty.
 * @param extra further variables of the processes
 * @param report is told what has started
 */
export async function startServers(
  extra: Record<string, string>,
  cleanups: Cleanups,
  report: (text: string) => void,
): Promise<Servers> {
  const postgres = await startPostgresServer({ isDurable: true })
  cleanups.add(() => postgres.close())
  report('PostgreSQL')
  const redis = await startRedisServer(['--maxmemory-policy', 'noeviction'])
  cleanups.add(() => redis.close())
  report('Redis')
  const s3 = await startS3Server()
  cleanups.add(() => s3.close())
  const place = await createTestBucket(s3)
  report('S3 (Ceph)')
  const env = {
    STORAGE_URL: `s3://${place.bucket}/stockbridge`,
    BACKUP_URL: `s3://${place.bucket}/backups`,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: place.region,
    S3_ACCESS_KEY_ID: place.accessKeyId,
    S3_SECRET_ACCESS_KEY: place.secretAccessKey,
    DATABASE_URL: postgres.toUrl('postgres'),
    REDIS_URL: redis.url,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    ADMIN_PASSWORD,
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...extra,
  }
  return {
    env,
    parts: [
      {
        name: 'PostgreSQL',
        kill: postgres.kill,
        start: postgres.start,
        freeze: async () => signalAll(await listTree(postgres.pid), 'SIGSTOP'),
        thaw: async () => signalAll(await listTree(postgres.pid), 'SIGCONT'),
      },
      {
        name: 'S3',
        kill: s3.kill,
        start: s3.start,
        freeze: async () => signalAll(s3.pids().slice(0, 1), 'SIGSTOP'),
        thaw: async () => signalAll(s3.pids().slice(0, 1), 'SIGCONT'),
      },
      {
        name: 'Redis',
        kill: redis.kill,
        start: redis.restart,
        freeze: async () => redis.pause(),
        thaw: async () => redis.resume(),
      },
    ],
  }
}

/**
 * Starts the processes of the product, each with its own data folder, and nginx.
 * @param folder for their data
 */
export async function startProcesses(
  folder: string,
  { webs: webCount, workers: workerCount }: FleetSize,
  { env }: Servers,
  cleanups: Cleanups,
  report: (text: string) => void,
): Promise<Fleet> {
  const start = async (kind: 'web' | 'worker', number: number) => {
    const name = `${kind} ${number}`
    // As on a machine of its own.
    const dataDir = join(folder, name.replace(' ', '-'))
    await mkdir(dataDir)
    const part = await startProgramPart(kind, name, { dataDir, env }, cleanups)
    report(name)
    return part
  }
  const webs = await Promise.all(count(webCount).map((number) => start('web', number)))
  const workers = await Promise.all(count(workerCount).map((number) => start('worker', number)))
  const url = await startLoadBalancer(
    folder,
    webs.map((web) => web.url),
    cleanups,
  )
  report('nginx')
  return { url, webs, workers }
}

const count = (size: number) => Array.from({ length: size }, (_, index) => index + 1)
