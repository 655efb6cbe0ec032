import type { BucketPlace } from './bucket'

/** `s3://bucket` or `s3://bucket/prefix`. */
export const BUCKET_URL =
  /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,62})(?:\/(?<prefix>[\w.!*'()/-]*))?$/

type BucketVariables = {
  STORAGE_URL?: string | undefined
  S3_ENDPOINT?: string | undefined
  S3_REGION: string
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}

/** Where STORAGE_URL says that files are; undefined when they are in the data folder. */
export function toBucketPlace(env: BucketVariables): BucketPlace | undefined {
  const { bucket, prefix = '' } = BUCKET_URL.exec(env.STORAGE_URL ?? '')?.groups ?? {}
  if (bucket === undefined) return undefined
  return {
    bucket,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
  }
}

/** Where the files are, without keys. */
export const describeBucket = ({ bucket, prefix, endpoint }: BucketPlace) =>
  `s3://${bucket}/${prefix}${endpoint === undefined ? '' : ` at ${new URL(endpoint).host}`}`
