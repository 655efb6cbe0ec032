import { readS3Address } from '../../../shared/s3-address'
import { FileError } from '../file-error'
import { VALID_SECONDS, withBucket } from '../sources/s3-source'
import { inFolder } from './destination-address'
import type { SendRequest } from './send-request'
import type { Sending } from './sending'

/** What S3 takes in one request. */
const MAX_OBJECT_BYTES = 5 * 1024 ** 3
const CHECKSUM = 'x-amz-checksum-sha256'

/**
 * The addresses with which whoever has them can put one file into its bucket, and delete it. Nothing is sent for it.
 * @throws FileError
 */
export async function presignSending({
  address,
  fileName,
  s3,
  sha256,
  sizeBytes,
}: Sending): Promise<NonNullable<SendRequest['signed']>> {
  const place = readS3Address(inFolder(address, fileName))
  if (!place || !s3) {
    throw new FileError(
      'bad-address',
      'A bucket needs its address (s3://bucket/folder) and a key pair: enter them in the settings of the destination.',
    )
  }
  if (sizeBytes > MAX_OBJECT_BYTES) throw tooLarge()
  const checksum = Buffer.from(sha256, 'hex').toString('base64')
  const { PutObjectCommand, DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const named = { Bucket: place.bucket, Key: place.key }
  return withBucket(s3, async (client) => {
    const put = new PutObjectCommand({ ...named, ChecksumSHA256: checksum })
    return {
      putUrl: await getSignedUrl(client, put, {
        expiresIn: VALID_SECONDS,
        // In the address servers would not compare it.
        unhoistableHeaders: new Set([CHECKSUM]),
      }),
      putHeaders: [{ name: CHECKSUM, value: checksum }],
      deleteUrl: await getSignedUrl(client, new DeleteObjectCommand(named), {
        expiresIn: VALID_SECONDS,
      }),
    }
  })
}

function tooLarge(): FileError {
  return new FileError(
    'too-large',
    'A bucket takes files up to 5 GB in one piece, and this one is larger: send it to a server of SFTP, or choose a shop format with fewer columns.',
  )
}
