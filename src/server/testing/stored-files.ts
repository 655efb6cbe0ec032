import { createHash } from 'node:crypto'

import type { Deps } from '../domain/deps'
import type { FileStore, StoredFile } from '../storage/file-store'
import { openScratchFile } from '../storage/scratch-file'

type Stores = Pick<Deps, 'db' | 'files'>

/** Writes content to a draft and commits it. */
export async function storeContent(
  files: FileStore,
  content: string,
  owner = 'seed',
): Promise<StoredFile> {
  const draft = files.createDraft(owner)
  const stored = await writeContent(draft.path, content)
  await draft.commit(stored)
  return stored
}

/** Writes a scratch file as a run does, and leaves it in place. */
export async function writeContent(path: string, content: string): Promise<StoredFile> {
  const scratch = await openScratchFile(path)
  await scratch.write(Buffer.from(content))
  return scratch.finish()
}

/** The files that the database refers to, with their expected sizes. */
export async function listNamedFiles({ db }: Stores) {
  const versions = await db.selectFrom('versions').select(['sha256', 'sizeBytes']).execute()
  const variants = await db
    .selectFrom('variants')
    .select(['sha256', 'sizeBytes'])
    .where('status', '=', 'ready')
    .execute()
  const keys = await db
    .selectFrom('versions')
    .select(['keysSha256 as sha256', 'keysBytes as sizeBytes'])
    .where('keysSha256', 'is not', null)
    .execute()
  const gone = await db
    .selectFrom('versions')
    .select(['goneSha256 as sha256', 'goneBytes as sizeBytes'])
    .where('goneSha256', 'is not', null)
    .execute()
  return [...versions, ...keys, ...gone, ...variants]
}

/**
 * Reads every file that the database refers to, and every stored file.
 * @returns the files that are missing or do not match their hash or size
 */
export async function findBrokenFiles(stores: Stores): Promise<string[]> {
  const broken: string[] = []
  for (const { sha256, sizeBytes } of await listNamedFiles(stores)) {
    const found = sha256 ? await measure(stores, sha256) : undefined
    if (found?.sha256 !== sha256 || found?.sizeBytes !== sizeBytes) broken.push(`named ${sha256}`)
  }
  for (const sha256 of await listStoredFiles(stores)) {
    const found = await measure(stores, sha256)
    if (found?.sha256 !== sha256) broken.push(`stored ${sha256}`)
  }
  return broken
}

export async function listStoredFiles({ files }: Stores): Promise<string[]> {
  const stored: string[] = []
  for await (const { sha256 } of files.list()) stored.push(sha256)
  return stored
}

async function measure({ files }: Stores, sha256: string) {
  if (!(await files.has(sha256))) return undefined
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of await files.read(sha256)) {
    hash.update(chunk as Uint8Array)
    sizeBytes += (chunk as Uint8Array).byteLength
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}
