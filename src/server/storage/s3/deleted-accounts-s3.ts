import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parseDeletionLine, toDeletionLine, type DeletedAccounts } from '../deleted-accounts'
import type { Bucket } from './bucket'

const FOLDER = 'deleted-accounts/'

/**
 * Keeps them in a bucket, each as the name of an empty object, so that several machines can add some at once.
 * @param scratch a folder on this machine
 */
export function createBucketDeletedAccounts(bucket: Bucket, scratch: string): DeletedAccounts {
  return {
    async add(account) {
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      const path = join(scratch, randomUUID())
      await writeFile(path, '', { mode: 0o600 })
      try {
        await bucket.put(FOLDER + toDeletionLine(account).replaceAll(' ', '-'), path)
      } finally {
        await rm(path, { force: true })
      }
    },
    async list() {
      const accounts = []
      for await (const { name } of bucket.list(FOLDER)) {
        accounts.push(parseDeletionLine(name.slice(FOLDER.length).replaceAll('-', ' ')))
      }
      return accounts.filter((account) => account !== undefined)
    },
  }
}
