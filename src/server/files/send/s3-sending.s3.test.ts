import { createHash } from 'node:crypto'

import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { failureOf } from '../../testing/stages/fetching'
import { newBucketPlace } from '../../testing/stages/s3-bucket'
import { bodyOf } from '../../testing/stages/sending'
import { createFileSender } from './file-sender'
import { createNetworkSender } from './send-file'
import type { FileSender, Sending } from './sending'

const CSV = 'sku,name\n1,Shirt\n'
const LARGE = Buffer.alloc(30_000_003, 'a long line of some text, ')
const BUCKET = 'retailer.files'
const NAME = 'Bestände 1+(2).csv'
const place = newBucketPlace()
const access = {
  accessKeyId: place.accessKeyId,
  secretAccessKey: place.secretAccessKey,
  region: place.region,
  endpoint: place.endpoint,
}
let client: S3Client
let sender: FileSender

beforeAll(async () => {
  const { endpoint = '', region } = place
  client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: place })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  const allow = [new URL(endpoint).host]
  sender = createFileSender(createNetworkSender({ now: Date.now, allow }))
})
afterAll(async () => {
  client.destroy()
  await sender.close()
})

const send = (content: Buffer | string, sending: Partial<Sending> = {}) =>
  sender.send(
    {
      address: `s3://${BUCKET}/in`,
      fileName: NAME,
      mediaType: 'text/csv; charset=utf-8',
      sizeBytes: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
      method: 'PUT',
      idempotencyKey: '1',
      isRepeat: false,
      isTrial: false,
      s3: access,
      signal: new AbortController().signal,
      ...sending,
    },
    bodyOf(content),
  )

const get = async (Key: string) => {
  const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }))
  return { bytes: Buffer.from((await Body?.transformToByteArray()) ?? []), ContentType }
}

const names = async () => {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }))
  return Contents.map(({ Key }) => Key)
}

describe('sending to a bucket', () => {
  it('puts files whole under their name, also over others', async () => {
    await send(LARGE)
    expect((await get(`in/${NAME}`)).bytes.equals(LARGE)).toBe(true)
    const { text } = await send(CSV)
    expect(text).toBe(`The server has all 17 bytes of ${NAME}.`)
    const { bytes, ContentType } = await get(`in/${NAME}`)
    expect(bytes.toString()).toBe(CSV)
    expect(ContentType).toBe('text/csv; charset=utf-8')
    expect(await names()).toEqual([`in/${NAME}`])
  })

  it('takes a trial away again', async () => {
    const before = await names()
    const { text } = await send(CSV, { isTrial: true, fileName: 'stockbridge-test-1.csv' })
    expect(text).toContain('stockbridge-test-1.csv was written and it was removed again')
    expect(await names()).toEqual(before)
  })

  it.each([
    [{ address: 's3://no-such-bucket/' }, /NoSuchBucket\. There is no bucket of this name/],
    [{ s3: { ...access, secretAccessKey: 'another' } }, /SignatureDoesNotMatch\. The secret key/],
    [{ s3: { ...access, accessKeyId: 'ANOTHER' } }, /InvalidAccessKeyId\. It does not know/],
  ])('says why it is refused: %j', async (sending, text) => {
    const error = await failureOf(send(LARGE, sending))
    expect(error.code).toBe('http-status')
    expect(error.message).toMatch(text)
    expect(error.message).not.toMatch(/X-Amz|only-for-tests/)
  })
})
