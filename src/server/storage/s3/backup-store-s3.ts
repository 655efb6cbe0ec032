import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { isBackupName, toBackupTime } from '../backup-manifest'
import type { BackupStore } from '../backup-store'
import { openDraft, type Stores } from './backup-draft'
import {
  deleteUnlisted,
  deleteUnnamed,
  listFolders,
  MARK,
  ownerOf,
  type Folder,
} from './backup-objects'
import { listBackupNames, publishedName, readPublished } from './published-backups'
import { readKind, toBackup, upgradeMark } from './stored-backup'

/**
 * Backups in a bucket. The parts of each are objects in the folder of its draft, or of an earlier
 * backup's that has the same file; what makes them a backup is one object that names them,
 * `backups/published/{name}.json`. Files of lists are elsewhere, where earlier versions do not delete what they do not
 * know; an object beside each list names them.
 * One backup is made at a time.
 */
export function createBucketBackupStore(stores: Stores): BackupStore {
  const { bucket, scratch } = stores
  const find = async (name: string) => {
    const found = isBackupName(name) ? await readPublished(bucket, name) : undefined
    return found && toBackup({ bucket, scratch }, name, found, await readKind(bucket, name))
  }

  return {
    // Scratch space for the database is found to be too small when it is.
    freeBytes: async () => Infinity,
    createDraft: (owner) => openDraft(stores, owner),
    async list() {
      const names = (await listBackupNames(bucket)).toReversed()
      const found = await Promise.all(names.map(find))
      return found.filter((backup) => backup !== undefined)
    },
    find,
    async findNewestTime(kind) {
      for (const name of (await listBackupNames(bucket)).toReversed()) {
        if ((await readKind(bucket, name)) === kind) return toBackupTime(name)
      }
      return null
    },
    async delete(name) {
      await bucket.delete(publishedName(name))
      await bucket.delete(upgradeMark(name))
      await deleteUnnamed(bucket, (folder) => folder.isMarked)
      await deleteUnlisted(bucket)
    },
    async removeDrafts(findLiveOwners) {
      const drafts = (await listFolders(bucket)).filter(({ isMarked }) => isMarked)
      const scratches = await readdir(scratch).catch(() => [])
      const alive = await findLiveOwners()
      const isDead = ({ owner }: Folder) => !alive.has(owner)
      const dead = drafts.filter(isDead)
      // From here on they cannot be published.
      await bucket.deleteAll(dead.map(({ path }) => path + MARK))
      for (const name of scratches.filter((each) => !alive.has(ownerOf(each)))) {
        await rm(join(scratch, name), { recursive: true, force: true })
      }
      const paths = new Set(dead.map(({ path }) => path))
      await deleteUnnamed(bucket, ({ path, isMarked }) => isMarked && !paths.has(path))
      if (dead.length > 0) await deleteUnlisted(bucket)
      return dead.length
    },
  }
}
