import { chmodSync, readdirSync, statSync, type Dirent } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import type { Config } from '../config'
import { codeOf } from '../process/error-code'
import { system } from '../process/system'

/** Mode bits of everybody but the owner. */
const FOR_OTHERS = 0o077
/** The sticky bit of a folder shared by many users, such as /tmp. */
const STICKY = 0o1000

/** Files and folders that a restore leaves beside the database or the files. */
const LEFT_BY_RESTORE = /^(?:restore\.(?:tmp|lock|json|json\.tmp)|replaced-\d{4}-.*)$/

/**
 * Removes the permissions of everybody but the owner from the data, as older versions or careless
 * copies may have left them. Only files of the product are changed: the folder may hold others.
 * @returns the paths whose mode could not be changed
 */
export function tightenData(config: Config): string[] {
  if (!system.hasModes) return []
  const { dataDir, databaseFile, filesDir, backupsDir, sftp } = config
  const failed: string[] = []
  const isShared = (statSync(dataDir).mode & STICKY) !== 0
  if (!isShared) tighten(dataDir, failed)
  const { secretFile, encryptionKeyFile, setupTokenFile } = config
  const keys = [secretFile, encryptionKeyFile, setupTokenFile]
  if (sftp) keys.push(sftp.hostKeyFile)
  for (const path of keys) tighten(path, failed)
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

/** Synchronous: nothing else runs yet, and a hundred thousand files take a second. */
function tightenTree(path: string, failed: string[]): void {
  if (!tighten(path, failed)) return
  for (const entry of list(path, failed)) {
    const inside = join(path, entry.name)
    // Targets of symbolic links do not belong to the product.
    if (entry.isDirectory()) tightenTree(inside, failed)
    else if (entry.isFile()) tighten(inside, failed)
  }
}

/** @returns whether the path is a folder */
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
    // Another process, such as a finished backup, may have deleted the path meanwhile.
    if (codeOf(error) !== 'ENOENT') failed.push(path)
    return undefined
  }
}
