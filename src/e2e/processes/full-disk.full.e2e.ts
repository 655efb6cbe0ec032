import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, type TestContext } from 'vitest'

import { PASSWORD } from '../../server/testing/fixtures/factories'
import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { startSourceServer } from '../../server/testing/servers/source-server'
import { mountSmallDisk, type SmallDisk } from '../../server/testing/stages/small-disk'
import type { Connection } from '../../shared/schemas/connection'
import type { CronJob } from '../../shared/schemas/cron-job'
import { ADMIN_PASSWORD, startProduct } from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'
import { awaitFile, signIn, seedDataDir } from '../support/seeded-data-dir'

const KIB = 1024
const MB = 1024 * KIB
const SIZE = 64 * MB
const HEADER = 'sku,name,category,qty\r\n'
const FIRST = HEADER + '1234,"Boot, brown",Shoes,5\r\n'.repeat(100_000)
const SECOND = HEADER + '1234,"Boot, brown",Shoes,6\r\n'.repeat(200_000)
const CANNOT_WRITE = 'The server cannot write at the moment. Try again in a minute.'
const NO_ROOM = 'The server is short of disk space. The sync waits until there is room.'

/** Starts the product on a disk, with a published file and a signed-in user of every role. */
async function openWorld(path: string, env: Record<string, string>, context: TestContext) {
  const sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: FIRST })
  const seeded = await seedDataDir(path, sourceServer.url('/feed.csv'))
  const start = () =>
    startProduct(path, { FETCH_ALLOW: sourceServer.host, LOG_LEVEL: 'error', ...env })
  const product = await start()
  context.onTestFinished(async () => {
    await product.stop()
    await sourceServer.close()
  })
  const retailer = await signIn(product, seeded.retailer.username)
  const supplier = await signIn(product, seeded.supplier.username)
  const admin = createRestClient(product.url)
  await admin.signIn('admin', ADMIN_PASSWORD)
  const downloadUrl = await awaitFile(retailer, seeded)
  return { sourceServer, seeded, start, product, retailer, supplier, admin, downloadUrl }
}

type World = Awaited<ReturnType<typeof openWorld>>

async function readConnection({ supplier }: World): Promise<Connection> {
  const { status, text, body } = await supplier.send('GET', '/api/connections')
  expect(status, text).toBe(200)
  const [connection] = body as Connection[]
  if (!connection) throw new Error('There is no connection')
  return connection
}

/** Checks that signed-in users can still read and download. */
async function expectReading({ supplier, retailer, admin, seeded, downloadUrl }: World) {
  const reads: [RestClient, string][] = [
    [retailer, '/readyz'],
    [retailer, '/api/user'],
    [retailer, `/api/retailers/${seeded.retailer.id}/latest-file`],
    [supplier, '/api/retailers'],
    [supplier, `/api/connections/${seeded.connectionId}/files`],
    [admin, '/api/suppliers'],
    [admin, '/api/admin/cron-jobs'],
  ]
  for (const [client, path] of reads) {
    expect((await client.send('GET', path)).status, path).toBe(200)
  }
  expect((await retailer.send('GET', downloadUrl)).text).toBe(FIRST)
}

const tryToSignIn = (url: string, { seeded }: World) =>
  createRestClient(url).send('POST', '/api/login', {
    username: seeded.supplier.username,
    password: PASSWORD,
  })

/** Checks that calls that must write fail with the reason. */
async function expectRefusals(world: World) {
  const { product, retailer, supplier, seeded } = world
  const responses = [
    await retailer.send('PATCH', `/api/retailers/${seeded.retailer.id}/store-info`, {
      storeName: 'Renamed',
    }),
    await supplier.send('POST', `/api/connections/${seeded.connectionId}/sync`),
    await tryToSignIn(product.url, world),
  ]
  for (const { status, body } of responses) {
    expect([status, body]).toEqual([503, { message: CANNOT_WRITE }])
  }
}

describe.concurrent('a disk that cannot be written', () => {
  it('only blocks writes while it is full, and recovers by itself when there is room again', async (context) => {
    const disk = mountSmallDisk(SIZE / KIB)
    if (!disk) return context.skip('only root can mount a small disk')
    context.onTestFinished(() => disk.remove())
    const world = await openWorld(disk.directory, { MIN_FREE_BYTES: `${16 * MB}` }, context)
    const { sourceServer, product, supplier, admin, seeded } = world
    const drafts = join(disk.directory, 'files/drafts')
    const listDrafts = () => readdir(drafts)
    const readWritten = async () => {
      const sizes = (await listDrafts()).map(async (name) => (await stat(join(drafts, name))).size)
      return Math.max(0, ...(await Promise.all(sizes)))
    }
    // Checkpoints would free space of the write-ahead log at times.
    await admin.send('DELETE', '/api/admin/cron-jobs/wal-checkpoint')

    // Fills the disk in the middle of a sync.
    const isHalfSent = new Promise<ServerResponse>((resolve) => {
      sourceServer.set('/feed.csv', {
        handler: (_request, response) =>
          response.write(SECOND.slice(0, SECOND.length / 2), () => resolve(response)),
      })
    })
    await supplier.send('POST', `/api/connections/${seeded.connectionId}/sync`)
    const response = await isHalfSent
    // Their removal makes the room that is needed to record the failure.
    await until(readWritten, (bytes) => bytes >= MB)
    disk.leave(0)
    sourceServer.set('/feed.csv', { body: SECOND })
    response.end(SECOND.slice(SECOND.length / 2))
    await until(listDrafts, (names) => names.length === 0)
    await until(
      () => readConnection(world),
      ({ lastError }) => lastError?.startsWith('The server ') === true,
    )
    expect(await readConnection(world)).toMatchObject({ consecutiveFailures: 0 })

    disk.leave(0)
    await expectReading(world)
    await expectRefusals(world)
    await expectReading(world)

    const cleared = performance.now()
    disk.resize(SIZE / KIB)
    await until(
      () => tryToSignIn(product.url, world),
      ({ status }) => status === 200,
    )
    const signedInAfter = secondsSince(cleared)
    await until(
      () => readConnection(world),
      ({ lastError, status }) => lastError === null && status === 'synced',
    )
    const syncedAfter = secondsSince(cleared)
    expect(syncedAfter).toBeLessThan(60)
    const measured = `${toSeconds(signedInAfter)} to sign in, ${toSeconds(syncedAfter)} to sync`
    figure('full disk', 'a full disk has room again: recovers within', measured, '≤ 60 s')

    await expectWaitingForRoom(world, disk)
    expect(await product.stop()).toBe(0)
    expect(await listDrafts()).toEqual([])
  })

  it('only blocks writes when it becomes read-only', async (context) => {
    const disk = mountFragileDisk(SIZE)
    if (!disk) return context.skip('only root can mount such a disk')
    context.onTestFinished(() => disk.remove())
    const world = await openWorld(disk.directory, {}, context)
    disk.break()
    await expectReading(world)
    await expectRefusals(world)
    await expectReading(world)
    figure('full disk', 'a disk that is read-only', 'reads go on, writes answer 503', 'the same')
    expect(await world.product.stop()).toBe(0)
    disk.repair()
    const repaired = await world.start()
    expect((await tryToSignIn(repaired.url, world)).status).toBe(200)
    const retailer = await signIn(repaired, world.seeded.retailer.username)
    expect((await retailer.send('GET', world.downloadUrl)).text).toBe(FIRST)
    await repaired.stop()
  })
})

/** Checks that below MIN_FREE_BYTES syncs wait, and both supplier and administrator see why. */
async function expectWaitingForRoom(world: World, disk: SmallDisk) {
  const { admin, supplier, seeded } = world
  disk.leave(15 * MB)
  const sync = await supplier.send('POST', `/api/connections/${seeded.connectionId}/sync`)
  expect(sync.status).toBe(202)
  const waiting = await until(
    () => readConnection(world),
    ({ lastError }) => lastError !== null,
  )
  expect(waiting).toMatchObject({ lastError: NO_ROOM, consecutiveFailures: 0, status: 'queued' })
  await admin.send('POST', '/trpc/cronJobs.runNow', { name: 'sync-heartbeat' })
  const readHeartbeat = async () => {
    const jobs = (await admin.send('GET', '/api/admin/cron-jobs')).body as CronJob[]
    return jobs.find(({ name }) => name === 'sync-heartbeat')
  }
  // One of while the disk was full may still be there.
  const shortage = /^The disk has 1\d\.?\d* MB of \d\d\.?\d* MB left/
  await until(readHeartbeat, (job) => shortage.test(job?.lastError ?? ''))
  disk.resize(SIZE / KIB)
  await until(
    () => readConnection(world),
    ({ lastError }) => lastError === null,
  )
}

/**
 * Creates a separate file system that can fail, and is read-only from then on, which needs root.
 * @returns undefined where no such file system can be created
 */
function mountFragileDisk(sizeBytes: number) {
  const directory = mkdtempSync(join(tmpdir(), 'stockbridge-disk-'))
  const image = `${directory}.image`
  writeFileSync(image, '')
  truncateSync(image, sizeBytes)
  const mount = () => run('mount', '-o', 'loop', image, directory)
  if (!run('mkfs.ext4', '-q', image) || !mount()) {
    rmdirSync(directory)
    rmSync(image)
    return undefined
  }
  return {
    directory,
    break: () => void run('mount', '-o', 'remount,abort', directory),
    /** Unmounts, checks and remounts it, as an operator would. No file there may be open. */
    repair() {
      run('umount', directory)
      run('e2fsck', '-p', image)
      mount()
    },
    remove() {
      run('umount', directory)
      rmdirSync(directory)
      rmSync(image)
    },
  }
}

function run(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
