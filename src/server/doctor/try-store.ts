import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Deps } from '../domain/deps'
import { openBucket, type BucketPlace } from '../storage/s3/bucket'
import { describeBucket } from '../storage/s3/bucket-place'
import { tryObject } from './check-bucket'
import { ANSWER_WITHIN_MS, explain } from './finding'

/**
 * Writes something small to where files or backups are, reads it, and deletes it.
 * @returns whether that went well, and in words what was done or answered
 */
export async function tryStore(
  { config }: Pick<Deps, 'config'>,
  store: 'files' | 'backups',
): Promise<{ isOk: boolean; answer: string }> {
  const bucket = store === 'files' ? config.bucket : config.backupBucket
  const folder = store === 'files' ? config.filesDir : config.backupsDir
  const place = bucket ? describeBucket(bucket) : folder
  try {
    await (bucket ? tryBucket(bucket) : tryFolder(folder))
    const what = bucket ? 'An object' : 'A file'
    return { isOk: true, answer: `${what} was written to ${place}, read and deleted` }
  } catch (error) {
    return { isOk: false, answer: `${place}: ${explainFully(error)}` }
  }
}

async function tryBucket(place: BucketPlace): Promise<void> {
  const bucket = await openBucket(place, { answerWithinMs: ANSWER_WITHIN_MS })
  try {
    await tryObject(bucket)
  } finally {
    bucket.close()
  }
}

async function tryFolder(folder: string): Promise<void> {
  // Among what is begun: if the process ends now, it is removed with that.
  const path = join(folder, 'drafts', `doctor.${randomUUID()}`)
  try {
    await writeFile(path, path, { mode: 0o600, flush: true })
    if ((await readFile(path, 'utf8')) !== path) throw new Error('Other bytes are read')
  } finally {
    await rm(path, { force: true })
  }
}

type ServiceError = { $metadata?: { httpStatusCode?: number }; Code?: string; name?: string }

/** With the status and the code of a bucket's answer. */
function explainFully(error: unknown): string {
  const { message, cause } = error as Error
  const { $metadata, Code, name } = (cause ?? {}) as ServiceError
  const status = $metadata?.httpStatusCode
  return status === undefined ? explain(error) : `${message} (${status} ${Code ?? name ?? ''})`
}
