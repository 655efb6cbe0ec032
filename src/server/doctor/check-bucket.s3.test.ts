import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { newBucketPlace } from '../testing/stages/s3-bucket'
import { openTestDeps, type TestDeps } from '../testing/stages/test-deps'
import { checkBuckets } from './check-bucket'

let deps: TestDeps

beforeEach(async () => {
  deps = await openTestDeps({ bucket: newBucketPlace() })
})
afterEach(() => deps.close())

const find = (bucket = deps.config.bucket) =>
  checkBuckets({ ...deps, clock: Date, config: { ...deps.config, bucket } })

describe('the doctor', () => {
  it('writes to the bucket, reads and deletes there, and leaves nothing behind', async () => {
    expect(await find()).toMatchObject([{ part: 'bucket', state: 'ok' }])
    const hashes = []
    for await (const file of deps.files.list()) hashes.push(file)
    expect(hashes).toEqual([])
  })

  it('finds a bucket that is missing, and keys that are wrong, without telling them', async () => {
    const place = deps.config.bucket!
    const wrong = { ...place, secretAccessKey: 'not-the-secret' }
    for (const bucket of [{ ...place, bucket: 'missing' }, wrong]) {
      const found = await find(bucket)
      expect(found).toMatchObject([{ state: 'problem', advice: expect.any(String) }])
      expect(JSON.stringify(found)).not.toContain('not-the-secret')
    }
  })

  it('finds a server whose clock differs', async () => {
    const ahead = { now: () => Date.now() + 60_000 }
    expect(await checkBuckets({ ...deps, clock: ahead })).toMatchObject([
      { state: 'ok' },
      { state: 'warning', text: expect.stringMatching(/differ by 6[01] s/) },
    ])
  })
})
