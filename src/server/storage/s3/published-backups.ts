import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { z } from 'zod'

import { isBackupName, parseManifest } from '../backup-manifest'
import { listParts, MANIFEST_PART, type BackupPart } from '../backup-parts'
import type { BackupSource } from '../backup-source'
import type { Bucket } from './bucket'

const PUBLISHED = 'backups/published/'
const EXTENSION = '.json'

/** The name of the object that makes a backup one. */
export const publishedName = (name: string) => `${PUBLISHED}${name}${EXTENSION}`

/** A backup's object: its manifest as a text, and where its parts are. */
const publishedSchema = z.strictObject({
  manifest: z.string(),
  /** The object of each part by its name. */
  parts: z.record(z.string(), z.string()),
})
export type Published = z.infer<typeof publishedSchema>

/** The names of the backups in a bucket, oldest first. */
export async function listBackupNames(bucket: Bucket): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of bucket.list(PUBLISHED)) {
    names.push(name.slice(PUBLISHED.length, -EXTENSION.length))
  }
  return names.filter(isBackupName)
}

export async function readAllPublished(bucket: Bucket): Promise<Published[]> {
  const names = (await listBackupNames(bucket)).toReversed()
  const found = await Promise.all(names.map((name) => readPublished(bucket, name)))
  return found.filter((published) => published !== undefined)
}

/** Returns undefined if there is none, or if it is not one of ours. */
export async function readPublished(bucket: Bucket, name: string): Promise<Published | undefined> {
  if (!(await bucket.find(publishedName(name)))) return undefined
  const content = await text(await bucket.read(publishedName(name)))
  return publishedSchema.safeParse(JSON.parse(content)).data
}

/**
 * Opens a backup in a bucket to restore it.
 * @returns undefined if there is none of this name
 */
export async function openBucketSource(
  bucket: Bucket,
  name: string,
): Promise<BackupSource | undefined> {
  const published = isBackupName(name) ? await readPublished(bucket, name) : undefined
  return published && { parts: readParts(bucket, published), archiveBytes: null }
}

/** Yields only the parts that exist in the bucket. */
async function* readParts(
  bucket: Bucket,
  { manifest: manifestText, parts }: Published,
): AsyncGenerator<BackupPart> {
  const encoded = Buffer.from(manifestText)
  yield { name: MANIFEST_PART, sizeBytes: encoded.byteLength, content: Readable.from([encoded]) }
  const parsed = parseManifest(manifestText)
  for (const { name } of 'manifest' in parsed ? listParts(parsed.manifest) : []) {
    const object = parts[name]
    const found = object === undefined ? undefined : await bucket.find(object)
    if (object === undefined || !found) continue
    yield { name, sizeBytes: found.sizeBytes, content: await bucket.read(object) }
  }
}
