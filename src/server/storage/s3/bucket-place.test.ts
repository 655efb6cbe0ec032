import { expect, it } from 'vitest'

import { describeBucket, toBucketPlace } from './bucket-place'

it.each([
  [undefined, 's3://stock/one/'],
  ['https://s3.example', 's3://stock/one/ at s3.example'],
  ['https://s3.example:9000/', 's3://stock/one/ at s3.example:9000'],
  ['https://example/storage/s3/', 's3://stock/one/ at example/storage/s3'],
])('describes a bucket at %s as %s', (endpoint, text) => {
  const place = toBucketPlace('s3://stock/one', { S3_ENDPOINT: endpoint, S3_REGION: 'x' })
  expect(describeBucket(place!)).toBe(text)
})
