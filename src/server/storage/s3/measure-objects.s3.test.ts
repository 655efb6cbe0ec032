import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { newBucketPlace } from '../../testing/stages/s3-bucket'
import { openBucket, type Bucket, type BucketPlace } from './bucket'
import { createObjectMeasurer, type ObjectMeasurer } from './measure-objects'
import { UnreachableStoreError } from './store-errors'

const SIGNAL = new AbortController().signal

let folder: string
let place: BucketPlace
let bucket: Bucket
let measurer: ObjectMeasurer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-objects-'))
  place = newBucketPlace()
  bucket = await openBucket(place)
  measurer = createObjectMeasurer(place)
})
afterEach(async () => {
  await measurer.close()
  bucket.close()
  await rm(folder, { recursive: true })
})

async function put(name: string, content: Buffer) {
  await writeFile(join(folder, 'object'), content)
  await bucket.put(name, join(folder, 'object'))
  return {
    sha256: createHash('sha256').update(content).digest('hex'),
    sizeBytes: content.byteLength,
  }
}

it('objects are measured, many at once, each as it is', async () => {
  const names = Array.from({ length: 40 }, (_, number) => `object ${number}`)
  const expected = []
  for (const [index, name] of names.entries()) {
    expected.push(await put(name, randomBytes(index * 10_000)))
  }
  expect(await Promise.all(names.map((name) => measurer.measure(name, SIGNAL)))).toEqual(expected)
})

it('an object that does not exist is told from a bucket that cannot be asked', async () => {
  expect(await measurer.measure('none', SIGNAL)).toBeUndefined()
  const other = createObjectMeasurer({ ...place, bucket: 'missing' })
  await expect(other.measure('none', SIGNAL)).rejects.toThrow(UnreachableStoreError)
  await other.close()
})

it('nothing is waited for once the signal has fired', async () => {
  await put('object', randomBytes(1_000_000))
  const reason = new Error('stopped')
  const controller = new AbortController()
  const measured = measurer.measure('object', controller.signal)
  controller.abort(reason)
  await expect(measured).rejects.toBe(reason)
  await expect(measurer.measure('object', controller.signal)).rejects.toBe(reason)
})
