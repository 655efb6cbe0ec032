import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { z } from 'zod'

import { codeOf } from '../../process/error-code'
import { isBackupName, parseManifest, type BackupManifest } from '../backup-manifest'
import {
  listParts,
  MANIFEST_PART,
  readFileList,
  toListPart,
  type BackupPart,
  type ListedPart,
  type NamedFileList,
} from '../backup-parts'
import type { BackupSource } from '../backup-source'
import type { StoredFile } from '../file-store'
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

/** Yields only the parts that exist in the bucket, and none after a list that does not. */
async function* readParts(bucket: Bucket, published: Published): AsyncGenerator<BackupPart> {
  const encoded = Buffer.from(published.manifest)
  yield { name: MANIFEST_PART, sizeBytes: encoded.byteLength, content: Readable.from([encoded]) }
  const parsed = parseManifest(published.manifest)
  if ('problem' in parsed) return
  try {
    for await (const { name, object } of listObjects(bucket, published, parsed.manifest)) {
      const found = object === undefined ? undefined : await bucket.find(object)
      if (object === undefined || !found) continue
      yield { name, sizeBytes: found.sizeBytes, content: await bucket.read(object) }
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/**
 * The parts that the manifest of a backup lists, each with its object.
 * @throws an error with code ENOENT if a list is missing; another one if it is not what the manifest says of it
 */
export async function* listObjects(
  bucket: Bucket,
  { parts }: Published,
  manifest: BackupManifest,
): AsyncGenerator<ListedPart & { object: string | undefined }> {
  let ofList: Record<string, string> = {}
  const readList = async (list: NamedFileList) => {
    ofList = await readObjectsOfList(bucket, parts[toObjectsPart(list.prefix)])
    return readListOf(bucket, parts, list)
  }
  for await (const part of listParts(manifest, readList)) {
    yield { ...part, object: parts[part.name] ?? ofList[part.sha256] }
  }
}

/** The files of a list. @throws as `listObjects` */
export async function readListOf(
  bucket: Bucket,
  parts: Published['parts'],
  list: NamedFileList,
): Promise<StoredFile[]> {
  const part = toListPart(list.prefix)
  const files = await readFileList(await bucket.read(parts[part] ?? part), list)
  if (!files) throw new Error(`${part} of a backup is damaged`)
  return files
}

/** Beside each list of a backup in a bucket: the objects of its files by their hashes. */
export const toObjectsPart = (prefix: string) => `objects/${prefix}.json`
const objectsSchema = z.record(z.string(), z.string())

/** @throws if there is no such object */
export async function readObjectsOfList(
  bucket: Bucket,
  object: string | undefined,
): Promise<Record<string, string>> {
  if (object === undefined) return {}
  return objectsSchema.parse(JSON.parse(await text(await bucket.read(object))))
}
