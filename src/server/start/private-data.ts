import { chmodSync, readdirSync, statSync, type Dirent } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import type { Config } from '../config'

/** Read, write or search for anybody but the owner. */
const FOR_OTHERS = 0o077
/** Of a folder that many users share, such as /tmp. */
const STICKY = 0o1000

/** What a restore leaves beside the place of the database or of the files. */
const LEFT_BY_RESTORE = /^(?:restore\.(?:tmp|lock|json|json\.tmp)|replaced-\d{4}-.*)$/

/**
 * Takes from everybody but the owner what they may do with the data, as older versions and careless
 * copies have left it. Only what the product has made is touched: the folder may hold other things.
 * @returns what could not be changed
 */
export function tightenData(config: Config): string[] {
  const { dataDir, databaseFile, filesDir, backupsDir, secretFile, encryptionKeyFile } = config
  const failed: string[] = []
  const isShared = (statSync(dataDir).mode & STICKY) !== 0
  if (!isShared) tighten(dataDir, failed)
  for (const path of [secretFile, encryptionKeyFile]) tighten(path, failed)
  for (const tree of [filesDir, backupsDir]) tightenTree(tree, failed)
  const database = basename(databaseFile)
  const databaseNames = new Set(['', '-wal', '-shm', '-journal'].map((end) => database + end))
  for (const folder of new Set([dataDir, dirname(databaseFile)])) {
    for (const { name } of list(folder, failed)) {
      const isOurs = databaseNames.has(name) || LEFT_BY_RESTORE.test(name)
      if (isOurs) tightenTree(join(folder, name), failed)
    }
  }
  return failed
}

/** In one go: nothing else runs yet, and a hundred thousand files take a second. */
function tightenTree(path: string, failed: string[]): void {
  if (!tighten(path, failed)) return
  for (const entry of list(path, failed)) {
    const inside = join(path, entry.name)
    // What a link leads to is not ours.
    if (entry.isDirectory()) tightenTree(inside, failed)
    else if (entry.isFile()) tighten(inside, failed)
  }
}

/** @returns whether it is a folder */
function tighten(path: string, failed: string[]): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return false
  const isFolder = stats.isDirectory()
  if ((stats.mode & FOR_OTHERS) !== 0) {
    attempt(path, failed, () => chmodSync(path, isFolder ? 0o700 : 0o600))
  }
  return isFolder
}

function list(folder: string, failed: string[]): Dirent[] {
  return attempt(folder, failed, () => readdirSync(folder, { withFileTypes: true })) ?? []
}

function attempt<T>(path: string, failed: string[], act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    // Another process, such as a backup that has ended, may have removed it just now.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failed.push(path)
    return undefined
  }
}
