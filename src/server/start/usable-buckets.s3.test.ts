import { describe, expect, it } from 'vitest'

import { ConfigError } from '../config'
import { findFreePort } from '../testing/servers/free-port'
import { newBucketPlace } from '../testing/stages/s3-bucket'
import { requireUsableBuckets } from './usable-buckets'

const SECRET = 'not-the-secret'

describe('at the start, a bucket', () => {
  it('is used when the server lets it', async () => {
    const bucket = newBucketPlace()
    const checked = requireUsableBuckets({ bucket, backupBucket: bucket })
    expect(await checked).toBeUndefined()
  })

  it.each([
    ['that is missing', { bucket: 'missing' }],
    ['whose secret key is wrong', { secretAccessKey: SECRET }],
    ['whose access key is unknown', { accessKeyId: 'nobody' }],
  ])('%s is told in a sentence, without keys', async (_what, changes) => {
    const wrong = { ...newBucketPlace(), ...changes }
    for (const places of [
      { bucket: wrong, backupBucket: undefined },
      { bucket: undefined, backupBucket: wrong },
    ]) {
      const error: unknown = await requireUsableBuckets(places).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ConfigError)
      expect(String(error)).toContain(`s3://${wrong.bucket}/`)
      expect(String(error)).toMatch(/ see (?:STORAGE_URL|S3_)/)
      expect(String(error)).not.toContain(SECRET)
    }
  })

  it('whose server is away keeps nothing from starting', async () => {
    const endpoint = `http://127.0.0.1:${await findFreePort()}`
    const bucket = { ...newBucketPlace(), endpoint }
    const checked = requireUsableBuckets({ bucket, backupBucket: undefined })
    expect(await checked).toBeUndefined()
  })
})
