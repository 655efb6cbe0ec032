import type { BucketPlace } from './bucket'

/** `s3://bucket` or `s3://bucket/prefix`. */
export const BUCKET_URL =
  /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,62})(?:\/(?<prefix>[\w.!*'()/-]*))?$/

type BucketVariables = {
  S3_ENDPOINT?: string | undefined
  S3_REGION: string
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}

/** Whether the keys of a bucket are known. */
export const hasBucketKeys = (env: BucketVariables): boolean =>
  Boolean(env.S3_ACCESS_KEY_ID && env.S3_SECRET_ACCESS_KEY)

/** The place that a variable such as STORAGE_URL names; undefined when it is not set. */
export function toBucketPlace(
  url: string | undefined,
  env: BucketVariables,
): BucketPlace | undefined {
  const { bucket, prefix = '' } = BUCKET_URL.exec(url ?? '')?.groups ?? {}
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
export function describeBucket({ bucket, prefix, endpoint }: BucketPlace): string {
  const place = `s3://${bucket}/${prefix}`
  if (endpoint === undefined) return place
  const { host, pathname } = new URL(endpoint)
  return `${place} at ${host}${pathname.replace(/\/$/, '')}`
}
