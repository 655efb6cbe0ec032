import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readAll } from '../../testing/fixtures/file-fixtures'
import { failureOf } from '../../testing/stages/fetching'
import { newBucketPlace } from '../../testing/stages/s3-bucket'
import { decodeBody } from '../fetch/decoded-body'
import { createFileFetcher, type FileFetcher } from '../fetch/fetch'
import { fetchUrl, type UrlSource } from './url-source'

const CSV = 'sku,name\n1,Shirt\n'
const KEY = 'out going/stöck+1 %20&?#.csv'
const BUCKET = 'supplier.files'
const URL = `s3://${BUCKET}/${KEY}`
const place = newBucketPlace()
const access = {
  accessKeyId: place.accessKeyId,
  secretAccessKey: place.secretAccessKey,
  region: place.region,
  endpoint: place.endpoint,
}
let client: S3Client
let fetcher: FileFetcher

const put = (body: string) =>
  client.send(new PutObjectCommand({ Bucket: BUCKET, Key: KEY, Body: body }))

beforeAll(async () => {
  const { endpoint = '', region } = place
  client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: place })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  const allow = [new globalThis.URL(endpoint).host]
  fetcher = createFileFetcher({ now: Date.now, allow, maxBytes: 1_000_000 })
})
afterAll(async () => {
  client.destroy()
  await fetcher.close()
})

const fetchAt = (source: Partial<UrlSource>) =>
  fetchUrl(
    { type: 'URL', url: URL, s3: access, ...source },
    { fetcher, signal: new AbortController().signal },
  )

describe('a file in a bucket', () => {
  it('is fetched by its name, and again only when it has changed', async () => {
    await put(CSV)
    const first = await fetchAt({})
    if (first.kind !== 'content') throw new Error('Content was expected')
    expect((await readAll(decodeBody(first, 1_000))).toString()).toBe(CSV)
    expect(first.fileName).toBe('stöck+1 %20&?#.csv')
    const { etag, lastModified } = first
    expect(await fetchAt({ etag, lastModified })).toEqual({ kind: 'unchanged' })
    await put(`${CSV}2,Shoes\n`)
    expect(await fetchAt({ etag })).toMatchObject({ kind: 'content' })
  })

  it.each([
    [{ url: `s3://${BUCKET}/Stock.csv` }, /NoSuchKey\. There is no file of this name/],
    [{ url: 's3://no-such-bucket/stock.csv' }, /NoSuchBucket\. There is no bucket of this name/],
    [{ s3: { ...access, secretAccessKey: 'another' } }, /SignatureDoesNotMatch\. The secret key/],
    [{ s3: { ...access, accessKeyId: 'ANOTHER' } }, /InvalidAccessKeyId\. It does not know/],
  ])('says why it is refused: %j', async (source, text) => {
    const error = await failureOf(fetchAt(source))
    expect(error.code).toBe('http-status')
    expect(error.message).toMatch(text)
    expect(error.message).not.toMatch(/X-Amz|only-for-tests/)
  })
})
