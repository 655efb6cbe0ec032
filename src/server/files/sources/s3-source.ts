import type { S3Client } from '@aws-sdk/client-s3'

import { readS3Address } from '../../../shared/s3-address'
import { FileError } from '../file-error'

/** What is needed to sign a request for a file in a bucket. */
export interface S3Access {
  accessKeyId: string
  secretAccessKey: string
  region: string
  /** Of a server that is not Amazon's. */
  endpoint?: string | undefined
}

/** A request may wait for its turn at a host before it is sent. */
export const VALID_SECONDS = 3_600

/**
 * The address from which whoever has it can read a file in a bucket, for an hour. Nothing is sent for it.
 * @throws FileError `bad-address`
 */
export async function presignObject(
  address: string,
  access: S3Access | undefined,
): Promise<string> {
  const place = readS3Address(address)
  if (!place || !access) {
    throw new FileError(
      'bad-address',
      'A file in a bucket needs its address (s3://bucket/file) and a key pair: enter them in the settings of the connection.',
    )
  }
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const command = new GetObjectCommand({ Bucket: place.bucket, Key: place.key })
  return withBucket(access, (client) => getSignedUrl(client, command, { expiresIn: VALID_SECONDS }))
}

/** Gives what signs requests for a bucket to `work`. */
export async function withBucket<T>(
  { region, endpoint, ...credentials }: S3Access,
  work: (client: S3Client) => Promise<T>,
): Promise<T> {
  const { S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({
    region,
    credentials,
    // Servers that are not Amazon's have no name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  try {
    return await work(client)
  } finally {
    client.destroy()
  }
}
