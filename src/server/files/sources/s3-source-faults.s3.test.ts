import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type S3Server, startS3Server } from '../../testing/servers/s3-server'
import { failureOf, readWhole } from '../../testing/stages/fetching'
import { createFileFetcher, type FileFetcher } from '../fetch/fetch'
import { presignObject } from './s3-source'

const LARGE = Buffer.alloc(30_000_000, 'a long line of some text, ')

let server: S3Server
let fetcher: FileFetcher

beforeEach(async () => {
  server = await startS3Server()
  const { endpoint, region, accessKeyId, secretAccessKey } = server
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  })
  await client.send(new CreateBucketCommand({ Bucket: 'stock' }))
  await client.send(new PutObjectCommand({ Bucket: 'stock', Key: 'large.csv', Body: LARGE }))
  client.destroy()
  fetcher = createFileFetcher({
    now: Date.now,
    allow: [new URL(endpoint).host],
    maxBytes: 64 * 1024 * 1024,
    timeouts: { idleMs: 1_500 },
  })
}, 60_000)
afterEach(async () => {
  await fetcher.close()
  await server.close()
})

/** Reads the file from its beginning, and has something done in the middle. */
async function read(work: () => unknown) {
  const url = await presignObject('s3://stock/large.csv', server)
  const response = await fetcher.fetch({ url, isS3: true, signal: new AbortController().signal })
  let isDone = false
  return readWhole(response, async (bytes) => {
    if (isDone || bytes < 1_000_000) return
    isDone = true
    await work()
  })
}

describe('a server of buckets', () => {
  it('that is killed in the middle of a file has sent no whole file', async () => {
    expect(await failureOf(read(() => server.kill()))).toMatchObject({ code: 'truncated' })
  })

  it('that is frozen in the middle of a file has sent no whole file', async () => {
    expect(await failureOf(read(() => server.pause()))).toMatchObject({ code: 'stalled' })
  })
})
