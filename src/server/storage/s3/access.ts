import type * as Sdk from '@aws-sdk/client-s3'

/** The client library, and the clients and names with which a bucket is asked. */
export type Access = {
  sdk: typeof Sdk
  client: Sdk.S3Client
  /** Waits longer, for requests that send or copy whole objects. */
  sender: Sdk.S3Client
  Bucket: string
  prefix: string
}

/** Names an object in a request. */
export const target = ({ Bucket, prefix }: Access, name: string) => ({ Bucket, Key: prefix + name })
