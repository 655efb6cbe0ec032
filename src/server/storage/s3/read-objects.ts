import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'

import { z } from 'zod'

import { codeOf } from '../../process/error-code'
import { READER_LOST_MS, type ReadMark } from '../while-read'
import type { Bucket } from './bucket'

const READERS = 'backups/readers/'
/** The names of the objects that somebody reads. */
const marksSchema = z.string().array()

/**
 * Keeps objects from being deleted while they are read.
 * @param put puts a text under a name
 */
export async function markObjects(
  bucket: Bucket,
  names: string[],
  put: (name: string, content: string) => Promise<void>,
): Promise<ReadMark> {
  const mark = READERS + randomUUID()
  await put(mark, JSON.stringify(names))
  return {
    renew: () => bucket.renew(mark).catch(() => undefined),
    release: () => bucket.delete(mark).catch(() => undefined),
  }
}

/** The objects that anybody reads. Forgets readers that have died. */
export async function listObjectsInUse(bucket: Bucket): Promise<string[]> {
  const now = await bucket.readClock()
  const names: string[] = []
  for await (const { name, putAt } of bucket.list(READERS)) {
    if (now === null || now - putAt < READER_LOST_MS) names.push(...(await readMark(bucket, name)))
    else await bucket.delete(name)
  }
  return names
}

async function readMark(bucket: Bucket, name: string): Promise<string[]> {
  try {
    return marksSchema.parse(JSON.parse(await text(await bucket.read(name))))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
