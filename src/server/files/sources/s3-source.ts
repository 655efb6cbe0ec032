import { readS3Address } from '../../../shared/s3-address'
import { FileError } from '../file-error'
import { presignGet, type S3Access } from '../presign-s3'

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
  return presignGet(place, access)
}
