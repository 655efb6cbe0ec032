/** A file in a bucket with S3's interface. */
interface S3Place {
  bucket: string
  /** Its name there, which is not encoded in any way. */
  key: string
}

const S3_EXAMPLE = 's3://bucket/stock.csv'

/** So that a signed address, which encodes it, is one that can be fetched. */
const MAX_ENCODED_KEY = 1_024

const ADDRESS = /^s3:\/\/([^/]*)\/?(.*)$/su
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/

export const isS3Address = (address: string): boolean => address.startsWith('s3://')

/** What is wrong with an address of a bucket, for who entered it; undefined if nothing is. */
export function describeS3Problem(address: string): string | undefined {
  const [, bucket = '', key = ''] = ADDRESS.exec(address) ?? []
  if (!BUCKET.test(bucket)) return `Enter the bucket and the file, for example ${S3_EXAMPLE}`
  if (key === '' || key.endsWith('/')) {
    return `Enter the file in the bucket, for example ${S3_EXAMPLE}`
  }
  if (!key.isWellFormed() || encodeURIComponent(key).length > MAX_ENCODED_KEY) {
    return 'The name of the file in the bucket is too long'
  }
  return undefined
}

/** Undefined for an address that is not one of a file in a bucket. */
export function readS3Address(address: string): S3Place | undefined {
  const [, bucket, key] = ADDRESS.exec(address) ?? []
  if (bucket === undefined || key === undefined) return undefined
  return describeS3Problem(address) === undefined ? { bucket, key } : undefined
}
