import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openDeps } from '../deps'
import { backUpNow } from '../features/operations/backups/backup-now'
import { createLogger } from '../observability/logger'
import { upgradeDatabase } from '../start/upgrade-database'
import { openBucket } from '../storage/s3/bucket'
import {
  makeSampleBackup,
  makeTarget,
  restore,
  type SampleBackup,
} from '../testing/fixtures/backups'
import { seedEarlier } from '../testing/fixtures/earlier-database'
import { makeListedBackup, seedStock } from '../testing/fixtures/stock'
import { findBrokenFiles, listStoredFiles } from '../testing/fixtures/stored-files'
import { newBucketPlace } from '../testing/stages/s3-bucket'

let backup: SampleBackup
let target: Awaited<ReturnType<typeof makeTarget>>

beforeEach(async () => {
  backup = await makeSampleBackup()
  target = await makeTarget()
  target.config.bucket = newBucketPlace()
})
afterEach(async () => {
  await backup.remove()
  await target.remove()
})

const open = () => openDeps(target.config, createLogger({ logLevel: 'silent' }))

/** Opens an installation that has what the sample has, and its backups in a bucket of their own. */
async function openBackedUp() {
  await restore(target.config, backup.archive)
  target.config.backupBucket = newBucketPlace()
  return open()
}

/** Restores a backup of that bucket on another machine; returns how many files are there, all of them whole. */
async function restoreElsewhere(name: string): Promise<number> {
  const { config, remove } = await makeTarget()
  try {
    config.backupBucket = target.config.backupBucket
    await restore(config, name)
    const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
    expect(await findBrokenFiles(deps)).toEqual([])
    const files = await listStoredFiles(deps)
    await close()
    return files.length
  } finally {
    await remove()
  }
}

describe('backups in a bucket', () => {
  it('are made, listed, and restored by their names on another machine', async () => {
    const { deps, close } = await openBackedUp()
    const { filename } = await backUpNow(deps, () => undefined)
    const [listed] = await deps.backups.list()
    const archive = await buffer((await listed!.openArchive())!)
    expect(archive.byteLength).toBe(listed!.archiveBytes)
    expect(await readdir(join(deps.config.backupsDir, 'drafts'))).toEqual([])
    await close()
    const name = filename.replace('.tar', '')
    await expect(restoreElsewhere('stockbridge-none')).rejects.toThrow(name)
    expect(await restoreElsewhere(name)).toBeGreaterThan(1)
  })
})

describe('backups of many files in a bucket', () => {
  it('are made without sending the files, share them, and are restored', async () => {
    const { deps, close } = await openBackedUp()
    const copyTo = () => Promise.reject(new Error('It was sent'))
    const made = { ...deps, files: { ...deps.files, copyTo } }
    await makeListedBackup(made)
    const { backup: second, summary } = await makeListedBackup(made)
    expect(summary).toMatch(/, 2 files; database and \d files? read back in /)
    await close()
    const bucket = await openBucket(target.config.backupBucket!)
    const listed = []
    for await (const { name } of bucket.list('backups/listed/')) listed.push(name)
    bucket.close()
    expect(listed).toHaveLength(2)
    expect(await restoreElsewhere(second.name)).toBe(2)
  })

  it('have copies of files that the server of the bucket does not copy', async () => {
    const { deps, close } = await openBackedUp()
    // It copies none that it does not have, but this machine has them.
    for (const sha256 of await listStoredFiles(deps)) await deps.files.locate(sha256)
    const bucket = await openBucket(target.config.bucket!)
    for await (const { name } of bucket.list('files/')) await bucket.delete(name)
    bucket.close()
    const files = { ...deps.files, has: async () => true }
    const { backup: made } = await makeListedBackup({ ...deps, files })
    const archive = await buffer((await made.openArchive())!)
    expect(archive.includes('sku,qty\r\n1,5')).toBe(true)
    await close()
  })
})

describe('the drill of a backup in a bucket', () => {
  it('restores it from there into a scratch that is removed, and finds what is missing', async () => {
    const { deps, close } = await openBackedUp()
    const { filename } = await backUpNow(deps, () => undefined)
    const { signal } = new AbortController()
    const rehearsal = { owner: 'drill', now: Date.now(), signal, report: async () => undefined }
    const drill = () => deps.rehearseRestore(filename.replace('.tar', ''), rehearsal)
    await drill()
    const bucket = await openBucket(target.config.backupBucket!)
    for await (const { name } of bucket.list('backups/data/')) {
      if (!name.endsWith('app.db')) await bucket.delete(name)
    }
    bucket.close()
    await expect(drill()).rejects.toThrow(/^This backup cannot be used: files\/.* is missing/)
    expect(await readdir(join(deps.config.backupsDir, 'drafts'))).toEqual([])
    await close()
  })
})

describe('the backup before an upgrade', () => {
  it('is made in the bucket, kept beside daily ones, and restored by its name', async () => {
    const { config } = target
    config.backupBucket = newBucketPlace()
    const earlier = await openDeps(config, createLogger({ logLevel: 'silent' }))
    await seedEarlier(earlier.deps, (deps) =>
      seedStock(deps, { files: ['sku\r\n1\r\n'], retailers: 3 }),
    )
    const lines: string[] = []
    await upgradeDatabase(earlier.deps, { report: (line) => void lines.push(line) })
    await backUpNow(earlier.deps, () => undefined)
    const kinds = (await earlier.deps.backups.list()).map(({ kind }) => kind)
    expect(kinds).toEqual(['daily', 'upgrade'])
    await earlier.close()
    const name = /is (?<name>\S+) in s3:/.exec(lines.at(-1) ?? '')?.groups?.name ?? ''
    await restore(config, name, { replace: true })
    const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
    expect(await findBrokenFiles(deps)).toEqual([])
    expect(await deps.db.selectFrom('retailers').select('id').execute()).toHaveLength(3)
    await close()
  })
})

describe('a restore of an installation with its files in a bucket', () => {
  it('puts every file of the backup into the bucket', async () => {
    await restore(target.config, backup.archive)
    const { deps, close } = await open()
    const expected = backup.manifest.files.map(({ sha256 }) => sha256)
    expect((await listStoredFiles(deps)).toSorted()).toEqual(expected.toSorted())
    expect(await findBrokenFiles(deps)).toEqual([])
    await close()
  })

  it('changes nothing when the bucket cannot be written', async () => {
    target.config.bucket!.bucket = 'missing'
    await expect(restore(target.config, backup.archive)).rejects.toThrow(
      /see STORAGE_URL and BACKUP_URL\. Nothing was changed/,
    )
    target.config.bucket!.bucket = 'test'
    await restore(target.config, backup.archive)
  })
})
