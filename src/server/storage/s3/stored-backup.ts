import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import type { BackupKind } from '../../../shared/constants'
import { packArchive, type PackedPart } from '../backup-archive'
import { parseManifest } from '../backup-manifest'
import { listFiles, MANIFEST_PART, READ_TIMES_PART, toBackupSize } from '../backup-parts'
import { parseReadTimes, type ReadTimes } from '../backup-read-times'
import type { StoredBackup } from '../backup-store'
import { markWhileRead } from '../while-read'
import type { Bucket } from './bucket'
import { listObjects, publishedName, readListOf, type Published } from './published-backups'
import { markObjects } from './read-objects'

/** An object for each backup that was made before the database was migrated. */
export const upgradeMark = (name: string) => `backups/upgrades/${name}`

export async function readKind(bucket: Bucket, name: string): Promise<BackupKind> {
  return (await bucket.find(upgradeMark(name))) ? 'upgrade' : 'daily'
}

export async function readReadTimes(
  bucket: Bucket,
  { parts }: Published,
): Promise<ReadTimes | undefined> {
  const name = parts[READ_TIMES_PART]
  return name === undefined ? undefined : parseReadTimes(await text(await bucket.read(name)))
}

/** Returns undefined for a backup of a newer version, or one that is not ours. */
export async function toBackup(
  { bucket, scratch }: { bucket: Bucket; scratch: string },
  name: string,
  published: Published,
  kind: BackupKind,
): Promise<StoredBackup | undefined> {
  const { manifest: manifestText, parts: objects } = published
  const parsed = parseManifest(manifestText)
  if ('problem' in parsed) return undefined
  const { manifest } = parsed
  const manifestBytes = Buffer.byteLength(manifestText)
  async function* packParts(): AsyncGenerator<PackedPart> {
    const openManifest = () => Readable.from([manifestText])
    yield { name: MANIFEST_PART, sizeBytes: manifestBytes, open: openManifest }
    for await (const { object, ...part } of listObjects(bucket, published, manifest)) {
      yield { ...part, open: () => Readable.from(readLate(bucket, object ?? part.name)) }
    }
  }
  return {
    name,
    kind,
    manifest,
    readTimes: await readReadTimes(bucket, published),
    archiveBytes: toBackupSize(manifest, manifestBytes),
    listFiles: () => listFiles(manifest, (list) => readListOf(bucket, objects, list)),
    async openArchive() {
      const put = (mark: string, content: string) => putTextFrom(bucket, scratch, mark, content)
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      const mark = await markObjects(bucket, Object.values(objects), put)
      // Whoever deletes the backup from now on finds the mark.
      if (!(await bucket.find(publishedName(name)))) {
        await mark.release()
        return undefined
      }
      return markWhileRead(packArchive(packParts(), new Date(manifest.createdAt)), mark)
    },
  }
}

async function* readLate(bucket: Bucket, name: string): AsyncGenerator<Buffer> {
  yield* (await bucket.read(name)) as AsyncIterable<Buffer>
}

/** Puts a text by way of a file in `folder`. */
export async function putTextFrom(bucket: Bucket, folder: string, name: string, content: string) {
  const path = join(folder, randomUUID())
  await writeFile(path, content, { mode: 0o600 })
  try {
    await bucket.put(name, path)
  } finally {
    await rm(path, { force: true })
  }
}
