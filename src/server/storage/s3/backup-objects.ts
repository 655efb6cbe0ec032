import { LIST_PREFIXES } from '../backup-manifest'
import type { Bucket } from './bucket'
import { readAllPublished, readObjectsOfList, toObjectsPart } from './published-backups'
import { listObjectsInUse } from './read-objects'

/** The folders of drafts, published or not. */
export const DATA = 'backups/data/'
/** The files of lists, by the first two digits of their hashes: `{hash}.{id of the draft that has put it}`. */
export const LISTED = 'backups/listed/'
/** An object of each draft, as long as the draft may be published. */
export const MARK = 'draft'
/** Servers tell when an object was put in whole seconds. */
const CLOCK_STEP_MS = 1_000

/** The owner of a draft, by its id. */
export const ownerOf = (draft: string) => draft.split('.')[0] ?? ''

/** The folder of a draft, published or not. */
export type Folder = { path: string; owner: string; isMarked: boolean; names: string[] }

export async function listFolders(bucket: Bucket): Promise<Folder[]> {
  const folders = new Map<string, Folder>()
  for await (const { name } of bucket.list(DATA)) {
    const path = name.slice(0, name.indexOf('/', DATA.length) + 1)
    const owner = ownerOf(path.slice(DATA.length))
    const folder = folders.get(path) ?? { path, owner, isMarked: false, names: [] }
    folders.set(path, folder)
    folder.names.push(name)
    if (name === path + MARK) folder.isMarked = true
  }
  return [...folders.values()]
}

/**
 * Deletes the parts that no backup names and nobody reads. What drafts have put is listed before the
 * backups are, so that parts of a draft that is published meanwhile are found to be named.
 * @param isKept whether a folder stays as it is
 */
export async function deleteUnnamed(
  bucket: Bucket,
  isKept: (folder: Folder) => boolean,
): Promise<void> {
  const folders = (await listFolders(bucket)).filter((folder) => !isKept(folder))
  const published = await readAllPublished(bucket)
  const named = new Set([
    ...published.flatMap(({ parts }) => Object.values(parts)),
    ...(await listObjectsInUse(bucket)),
  ])
  const stored = folders.flatMap(({ names }) => names)
  await bucket.deleteAll(stored.filter((name) => !named.has(name)))
}

/**
 * Deletes the files of lists that no backup names, nobody reads, and no draft that may be published has put. Only
 * what was there before drafts and backups are listed is looked at.
 * @param discarded the id of a draft that will not be published
 */
export async function deleteUnlisted(bucket: Bucket, discarded?: string): Promise<void> {
  const before = await bucket.readClock()
  if (before === null || !(await hasAny(bucket, LISTED))) return
  const drafts = (await listFolders(bucket)).filter(({ isMarked }) => isMarked)
  const paths = new Set(drafts.map(({ path }) => path))
  const isKept = (name: string, putAt: number) =>
    toDraftId(name) !== discarded &&
    (putAt >= before - CLOCK_STEP_MS || paths.has(`${DATA}${toDraftId(name)}/`))
  const published = await readAllPublished(bucket)
  const inUse = await listObjectsInUse(bucket)
  for (const prefix of LIST_PREFIXES) {
    const stored: string[] = []
    for await (const { name, putAt } of bucket.list(`${LISTED}${prefix}/`)) {
      if (!isKept(name, putAt)) stored.push(name)
    }
    if (stored.length === 0) continue
    const part = toObjectsPart(prefix)
    const lists = new Set([
      ...published.map(({ parts }) => parts[part]),
      ...inUse.filter((name) => name.endsWith(`/${part}`)),
    ])
    const named = new Set<string>()
    for (const list of lists) {
      for (const name of Object.values(await readObjectsOfList(bucket, list))) named.add(name)
    }
    await bucket.deleteAll(stored.filter((name) => !named.has(name)))
  }
}

async function hasAny(bucket: Bucket, start: string): Promise<boolean> {
  for await (const _ of bucket.list(start)) return true
  return false
}

/** Of the draft that has put a file of a list. */
const toDraftId = (name: string) => name.slice(name.indexOf('.') + 1)
