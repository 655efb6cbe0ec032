import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import type { Deps } from '../domain/deps'
import { openBucket, type Bucket, type BucketPlace } from '../storage/s3/bucket'
import { describeBucket } from '../storage/s3/bucket-place'
import { ANSWER_WITHIN_MS, compareClocks, type Finding } from './finding'

const PART = 'bucket'
/** Apart from the files, so that no cleaning takes it for one. */
const FOLDER = 'doctor/'

/** Whether the buckets can be listed, written, read and deleted from; leaves nothing behind. */
export async function checkBuckets({ config, clock }: Deps): Promise<Finding[]> {
  const places = [config.bucket, config.backupBucket].filter((place) => place !== undefined)
  return (await Promise.all(places.map((place) => checkBucket(place, clock)))).flat()
}

async function checkBucket(at: BucketPlace, clock: Deps['clock']): Promise<Finding[]> {
  const place = describeBucket(at)
  const bucket = await openBucket(at, { answerWithinMs: ANSWER_WITHIN_MS })
  try {
    await bucket.check()
    await tryObject(bucket)
    const now = await bucket.readClock()
    const clocks = now === null ? [] : compareClocks(PART, now, clock.now())
    return [{ part: PART, state: 'ok', text: `${place}, can be written and read` }, ...clocks]
  } catch (error) {
    const advice =
      'Start the S3 server, or correct the variable. The key must list, read, write and delete.'
    return [{ part: PART, state: 'problem', text: `${place}: ${(error as Error).message}`, advice }]
  } finally {
    bucket.close()
  }
}

/** @throws Error when what was written is not what is read */
export async function tryObject(bucket: Bucket): Promise<void> {
  const name = `${FOLDER}${randomUUID()}`
  const folder = await mkdtemp(join(tmpdir(), 'stockbridge-doctor-'))
  try {
    await writeFile(join(folder, 'probe'), name)
    await bucket.put(name, join(folder, 'probe'))
    if ((await text(await bucket.read(name))) !== name) throw new Error('It returns other bytes')
    for await (const { name: listed } of bucket.list(name)) {
      if (listed !== name) throw new Error('It lists other objects')
    }
    await bucket.delete(name)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
