import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openDeps } from '../deps'
import { backUpNow } from '../features/backups/backup-now'
import { createLogger } from '../observability/logger'
import { makeSampleBackup, makeTarget, restore, type SampleBackup } from '../testing/backups'
import { newBucketPlace } from '../testing/s3-bucket'
import { findBrokenFiles, listStoredFiles } from '../testing/stored-files'

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

describe('backups in a bucket', () => {
  it('are made, listed, and restored by their names on another machine', async () => {
    const backupBucket = newBucketPlace()
    const [config, elsewhere] = [target.config, await makeTarget()]
    await restore(config, backup.archive)
    Object.assign(config, { backupBucket })
    Object.assign(elsewhere.config, { backupBucket })
    const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
    const { filename } = await backUpNow(deps, () => undefined)
    const [listed] = await deps.backups.list()
    const archive = await buffer(listed!.openArchive())
    expect(archive.byteLength).toBe(listed!.archiveBytes)
    expect(await readdir(join(config.backupsDir, 'drafts'))).toEqual([])
    await close()
    const name = filename.replace('.tar', '')
    await expect(restore(elsewhere.config, 'stockbridge-none')).rejects.toThrow(name)
    await restore(elsewhere.config, name)
    const restored = await openDeps(elsewhere.config, createLogger({ logLevel: 'silent' }))
    expect(await findBrokenFiles(restored.deps)).toEqual([])
    expect((await listStoredFiles(restored.deps)).length).toBeGreaterThan(1)
    await restored.close()
    await elsewhere.remove()
  })
})

describe('a restore of an installation with its files in a bucket', () => {
  it('puts every file of the backup into the bucket', async () => {
    await restore(target.config, backup.archive)
    const { deps, close } = await openDeps(target.config, createLogger({ logLevel: 'silent' }))
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
