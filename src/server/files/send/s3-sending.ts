import { readS3Address } from '../../../shared/s3-address'
import { FileError } from '../file-error'
import { presignPut } from '../presign-s3'
import { inFolder } from './destination-address'
import type { SendRequest } from './send-request'
import type { Sending } from './sending'

/** What S3 takes in one request. */
const MAX_OBJECT_BYTES = 5 * 1024 ** 3

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
  return presignPut(place, s3, sha256)
}

function tooLarge(): FileError {
  return new FileError(
    'too-large',
    'A bucket takes files up to 5 GB in one piece, and this one is larger: send it to a server of SFTP, or choose a shop format with fewer columns.',
  )
}
