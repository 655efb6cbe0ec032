import type { S3Client } from '@aws-sdk/client-s3'
import type { getSignedUrl as getSignedUrlType } from '@aws-sdk/s3-request-presigner'

/** What is needed to sign a request for a file in a bucket. */
export interface S3Access {
  accessKeyId: string
  secretAccessKey: string
  region: string
  /** Of a server that is not Amazon's. */
  endpoint?: string | undefined
}

/** A request may wait for its turn at a host before it is sent. */
const VALID_SECONDS = 3_600
const CHECKSUM = 'x-amz-checksum-sha256'

interface Place {
  bucket: string
  key: string
}

/** The address from which whoever has it can read a file in a bucket, for an hour. Nothing is sent for it. */
export async function presignGet({ bucket, key }: Place, access: S3Access): Promise<string> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  const command = new GetObjectCommand({ Bucket: bucket, Key: key })
  return withBucket(access, (client, sign) => sign(client, command, { expiresIn: VALID_SECONDS }))
}

/**
 * The addresses with which whoever has them can put one file into its bucket, and delete it, for an hour. Nothing is
 * sent for them.
 */
export async function presignPut({ bucket, key }: Place, access: S3Access, sha256: string) {
  const checksum = Buffer.from(sha256, 'hex').toString('base64')
  const { PutObjectCommand, DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  const named = { Bucket: bucket, Key: key }
  return withBucket(access, async (client, sign) => ({
    putUrl: await sign(client, new PutObjectCommand({ ...named, ChecksumSHA256: checksum }), {
      expiresIn: VALID_SECONDS,
      // In the address servers would not compare it.
      unhoistableHeaders: new Set([CHECKSUM]),
    }),
    putHeaders: [{ name: CHECKSUM, value: checksum }],
    deleteUrl: await sign(client, new DeleteObjectCommand(named), { expiresIn: VALID_SECONDS }),
  }))
}

async function withBucket<T>(
  { region, endpoint, ...credentials }: S3Access,
  work: (client: S3Client, sign: typeof getSignedUrlType) => Promise<T>,
): Promise<T> {
  const { S3Client } = await import('@aws-sdk/client-s3')
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const client = new S3Client({
    region,
    credentials,
    // Servers that are not Amazon's have no name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  try {
    return await work(client, getSignedUrl)
  } finally {
    client.destroy()
  }
}
