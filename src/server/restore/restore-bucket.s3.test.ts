import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openDeps } from '../deps'
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
      /see STORAGE_URL\. Nothing was changed/,
    )
    target.config.bucket!.bucket = 'test'
    await restore(target.config, backup.archive)
  })
})
