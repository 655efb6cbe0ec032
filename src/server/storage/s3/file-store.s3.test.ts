import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../shared/durations'
import { loseContent, storeContent, writeContent } from '../../testing/fixtures/stored-files'
import {
  openBreakableNetwork,
  type BreakableNetwork,
} from '../../testing/servers/breakable-network'
import { newBucketPlace, openMachine, type Machine } from '../../testing/stages/s3-bucket'
import { draftsFolderOf } from '../file-store-disk'
import { describeFileStore } from '../file-store.contract'
import { openBucket, type BucketPlace } from './bucket'
import { nameOf } from './object-names'
import { UnreachableStoreError } from './store-errors'

/** More than a part of an upload, and than what a connection has in its buffers. */
const LARGE = randomBytes(12_000_000).toString('latin1')

describeFileStore('the file store on S3', () => openMachine(newBucketPlace()))

let place: BucketPlace
let network: BreakableNetwork
let machines: Machine[]

beforeEach(async () => {
  const direct = newBucketPlace()
  network = await openBreakableNetwork(direct.endpoint ?? '')
  place = { ...direct, endpoint: network.url }
  machines = []
})
afterEach(async () => {
  for (const machine of machines) await machine.close()
  await network.close()
})

async function addMachine(options?: Parameters<typeof openMachine>[1]): Promise<Machine> {
  const machine = await openMachine(place, options)
  machines.push(machine)
  return machine
}

const listHere = async ({ disk }: Machine) => {
  const hashes: string[] = []
  for await (const { sha256 } of disk.list()) hashes.push(sha256)
  return hashes
}
const namesIn = async ({ bucket }: Machine) => {
  const names: string[] = []
  for await (const { name } of bucket.list('')) names.push(name)
  return names
}
const unreachable = expect.objectContaining({ constructor: UnreachableStoreError })

describe('files in a bucket', () => {
  it('are read by every machine, and from its own disk from then on', async () => {
    const [one, other] = [await addMachine(), await addMachine()]
    const file = await storeContent(one.store, 'sku,qty\n1,2\n')
    expect(await text(await other.store.read(file.sha256))).toBe('sku,qty\n1,2\n')
    network.break()
    for (const { store } of [one, other]) {
      expect(await text(await store.openToSend(file.sha256, { start: 4, end: 6 }))).toBe('qty')
    }
  })

  it('are sent at once to whom they are not here for, and fetched meanwhile', async () => {
    const [one, other] = [await addMachine(), await addMachine()]
    const file = await storeContent(one.store, LARGE)
    const range = { start: 5, end: 8 }
    const part = await text(await other.store.openToSend(file.sha256, range))
    expect(part).toBe(Buffer.from(LARGE).subarray(5, 9).toString())
    await expect.poll(() => listHere(other)).toEqual([file.sha256])
  })

  it('are fetched once by those who ask at the same time', async () => {
    const [one, other] = [await addMachine(), await addMachine()]
    const file = await storeContent(one.store, LARGE)
    const paths = await Promise.all(
      Array.from({ length: 10 }, () => other.store.locate(file.sha256)),
    )
    expect(new Set(paths).size).toBe(1)
    expect(await listHere(other)).toEqual([file.sha256])
  })

  it('are not taken from the bucket when they are damaged there', async () => {
    const [one, other] = [await addMachine(), await addMachine()]
    const { sha256 } = await storeContent(one.store, 'good')
    const [name = ''] = await namesIn(one)
    const path = join(one.directory, 'damaged')
    await writeFile(path, 'evil')
    await one.bucket.put(name, path)
    await expect(other.store.locate(sha256)).rejects.toThrow('damaged')
    expect(await listHere(other)).toEqual([])
  })

  it('are deleted for all machines', async () => {
    const [one, other] = [await addMachine(), await addMachine()]
    const { sha256 } = await storeContent(one.store, 'old')
    await loseContent(other.store, sha256)
    expect(await one.store.has(sha256)).toBe(false)
  })

  it.each([
    ['the cache has room', { maxCacheBytes: 10 }],
    ['the disk has more free than is reserved', { minFreeBytes: Number.MAX_SAFE_INTEGER }],
  ])('are kept on this machine while they are used, and as long as %s', async (_what, options) => {
    const machine = await addMachine(options)
    const files = []
    for (const content of ['first', 'second', 'third']) {
      files.push((await storeContent(machine.store, content)).sha256)
    }
    expect(await listHere(machine)).toHaveLength(3)
    const agoSeconds = (Date.now() - HOUR_MS) / 1_000
    for (const sha256 of files.slice(0, 2)) {
      await utimes(await machine.disk.locate(sha256), agoSeconds, agoSeconds)
    }
    await machine.store.removeDrafts(async () => new Set())
    expect(await listHere(machine)).toEqual([files[2]])
    expect(await text(await machine.store.read(files[0]!))).toBe('first')
  })
})

describe('readers of a file in a bucket', () => {
  /** More than the connections that a process opens to the server. */
  const READERS = 70

  it('hold no connection once they have gone in the middle', async () => {
    const { bucket, store } = await addMachine()
    const { sha256, sizeBytes } = await storeContent(store, LARGE)
    for (let count = 0; count < READERS; count += 1) {
      const stream = await bucket.read(nameOf(sha256))
      await once(stream, 'readable')
      stream.destroy()
    }
    expect((await buffer(await bucket.read(nameOf(sha256)))).byteLength).toBe(sizeBytes)
  })

  it('get it as a whole, however slowly they take it, and hold up nobody else', async () => {
    const { bucket, store } = await addMachine()
    const { sha256, sizeBytes } = await storeContent(store, LARGE)
    const slow = await bucket.read(nameOf(sha256))
    await once(slow, 'readable')
    for (let count = 0; count < 3; count += 1) {
      expect((await buffer(await bucket.read(nameOf(sha256)))).byteLength).toBe(sizeBytes)
    }
    let received = 0
    for await (const chunk of slow as AsyncIterable<Buffer>) {
      received += chunk.length
      await new Promise(setImmediate)
    }
    expect(received).toBe(sizeBytes)
  })
})

describe('an S3 server that fails', () => {
  it('leaves nothing behind of a file that it has not received as a whole', async () => {
    const machine = await addMachine()
    const cut = () => network.cutAfter(1_000_000)
    for (const fail of [network.break, network.answer503, network.stall, cut]) {
      fail()
      await expect(storeContent(machine.store, LARGE)).rejects.toEqual(unreachable)
      network.repair()
      expect(await namesIn(machine)).toEqual([])
      await machine.store.removeDrafts(async () => new Set())
      const { sha256 } = await storeContent(machine.store, 'small')
      await loseContent(machine.store, sha256)
      expect(await machine.store.has(sha256)).toBe(false)
    }
    await storeContent(machine.store, LARGE)
    expect(await namesIn(machine)).toHaveLength(1)
  })

  it('fails those who read, and nothing half-read stays', async () => {
    const [one, other] = [await addMachine(), await addMachine()]
    const { sha256 } = await storeContent(one.store, LARGE)
    network.cutAfter(1_000_000)
    await expect(other.store.locate(sha256)).rejects.toEqual(unreachable)
    await expect(async () => buffer(await other.store.openToSend(sha256))).rejects.toThrow(/./)
    expect(await listHere(other)).toEqual([])
    network.break()
    await expect(other.store.has(sha256)).rejects.toEqual(unreachable)
    await expect(other.store.check()).rejects.toEqual(unreachable)
    // Waits for what was being fetched ahead, which others would share.
    await expect(other.store.locate(sha256)).rejects.toEqual(unreachable)
    network.repair()
    const bytes = await buffer(await other.store.read(sha256))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  })

  it('is told from one that refuses the keys, and from one without the bucket', async () => {
    const refusals = [
      { wrong: { secretAccessKey: 'wrong' }, says: 'S3_SECRET_ACCESS_KEY' },
      { wrong: { accessKeyId: 'unknown' }, says: 'S3_ACCESS_KEY_ID' },
      { wrong: { bucket: 'missing' }, says: 'STORAGE_URL' },
    ]
    for (const { wrong, says } of refusals) {
      const bucket = await openBucket({ ...place, ...wrong })
      await expect(bucket.check()).rejects.toThrow(says)
      await expect(bucket.read('files/none')).rejects.toThrow(says)
      bucket.close()
    }
  })

  it('gets rid of uploads that were never completed', async () => {
    const machine = await addMachine()
    const { bucket, prefix } = place
    const { CreateMultipartUploadCommand, S3Client } = await import('@aws-sdk/client-s3')
    const client = new S3Client({
      endpoint: network.url,
      region: place.region,
      forcePathStyle: true,
      credentials: place,
    })
    await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: `${prefix}a` }))
    client.destroy()
    expect(await machine.bucket.abortUploads(Date.now() - HOUR_MS)).toBe(0)
    expect(await machine.bucket.abortUploads(Date.now() + HOUR_MS)).toBe(1)
    expect(await machine.bucket.abortUploads(Date.now() + HOUR_MS)).toBe(0)
  })
})

describe('a draft', () => {
  it('does not change what is read under a hash that it claims', async () => {
    const [one, other] = [await addMachine(), await addMachine()]
    const { sha256, sizeBytes } = await storeContent(one.store, 'good')
    const draft = other.store.createDraft('run')
    await writeContent(draft.path, 'evil')
    await draft.commit({ sha256, sizeBytes })
    expect(await text(await other.store.read(sha256))).toBe('good')
  })

  it('of a file that is being fetched is not one of a dead run', async () => {
    const machine = await addMachine()
    const draft = machine.disk.createDraft('cache')
    await writeContent(draft.path, 'half')
    expect(await machine.store.removeDrafts(async () => new Set())).toBe(0)
    expect(draft.path.startsWith(draftsFolderOf(machine.directory))).toBe(true)
  })
})
