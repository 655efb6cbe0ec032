import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'

import { parseManifest } from './backup-manifest'
import {
  listParts,
  MANIFEST_PART,
  openPart,
  readFileList,
  toListPart,
  type BackupPart,
  type NamedFileList,
} from './backup-parts'
import type { StoredFile } from './file-store'
import { readArchive } from './read-archive'

/** An unverified backup to be restored; its first part is the manifest. */
export type BackupSource = {
  parts: AsyncGenerator<BackupPart>
  /** The size of the archive file; null for a folder. */
  archiveBytes: number | null
}

/**
 * Opens a downloaded archive, or a backup's folder, which can also be given by the manifest in it.
 * @returns undefined when the path does not exist
 */
export async function openBackupSource(path: string): Promise<BackupSource | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  if (found.isDirectory()) return { parts: readFolder(path), archiveBytes: null }
  if (basename(path) === MANIFEST_PART) {
    return { parts: readFolder(dirname(path)), archiveBytes: null }
  }
  return { parts: readArchive(path), archiveBytes: found.size }
}

/** Yields only the parts that exist in the folder. */
async function* readFolder(folder: string): AsyncGenerator<BackupPart> {
  const text = await readFile(join(folder, MANIFEST_PART)).catch(() => Buffer.alloc(0))
  yield { name: MANIFEST_PART, sizeBytes: text.byteLength, content: Readable.from([text]) }
  const parsed = parseManifest(text.toString())
  if ('problem' in parsed) return
  for await (const { name } of listParts(parsed.manifest, (list) => readList(folder, list))) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (!found?.isFile()) continue
    const content = openPart(folder, name)
    try {
      yield { name, sizeBytes: found.size, content }
    } finally {
      content.destroy()
    }
  }
}

/** The files of a list; none of one that is damaged, which is told once it has been read as a part. */
async function readList(folder: string, list: NamedFileList): Promise<StoredFile[]> {
  const content = openPart(folder, toListPart(list.prefix))
  return (await readFileList(content, list).catch(() => undefined)) ?? []
}
