import { FileError } from '../../file-error'
import { describeStatus, type FinalResponse, headerOf, type HttpResponse } from './http-response'

const MAX_BODY_BYTES = 16 * 1024
const BODY_WITHIN_MS = 5_000

interface Refusal {
  /** As S3 calls the error; empty if it does not say. */
  code: string
  message: string
  /** Where the bucket is, if it says that. */
  region: string | undefined
}

/** What is done with a file in its bucket. */
type Use = 'read' | 'written'

/** The error for an answer of a server of buckets that is not a success. @param now Unix milliseconds */
export async function describeS3Refusal(
  reached: FinalResponse,
  now: number,
  use: Use = 'read',
): Promise<FileError> {
  const { response } = reached
  const refusal = await readRefusal(response)
  const why = explain(refusal, response.statusCode, use)
  const plain = describeStatus({ ...reached, access: 'sent' }, now)
  if (why === undefined) return plain
  const { retryAfterMs } = plain
  const said = refusal.code === '' ? String(response.statusCode) : refusal.code
  return new FileError(
    'http-status',
    `The server of the bucket answered ${said}. ${why}`,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  )
}

async function readRefusal(response: HttpResponse): Promise<Refusal> {
  const text = await readText(response)
  const region =
    headerOf(response, 'x-amz-bucket-region') ?? /<Region>([^<]{1,100})<\/Region>/.exec(text)?.[1]
  return {
    code: /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? '',
    message: /<Message>([^<]{1,1000})<\/Message>/.exec(text)?.[1] ?? '',
    region: region !== undefined && /^[\w-]{1,40}$/.test(region) ? region : undefined,
  }
}

/** As much of a short text as arrives in time. */
async function readText(response: HttpResponse): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => response.destroy(), BODY_WITHIN_MS)
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= MAX_BODY_BYTES) break
    }
  } catch {
    // The status tells enough.
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(pieces).toString('utf8', 0, MAX_BODY_BYTES)
}

const CLOCK =
  'The clock of the machine that fetches or sends it differs from that of the bucket: ask your operator to set it.'
const FORBIDDEN = {
  read: 'The key pair may not read this file, or there is none of this name. It needs the permission s3:GetObject, and s3:ListBucket to tell the two apart.',
  written:
    'The key pair may not write this file: it needs the permission s3:PutObject in this folder of the bucket.',
}

const CHANGED = 'The file was changed on its way, so that its checksum is another.'

const REASONS: Record<string, string> = {
  NoSuchKey: 'There is no file of this name in the bucket: upper and lower case count.',
  NoSuchBucket: 'There is no bucket of this name at this server.',
  InvalidAccessKeyId: 'It does not know this access key.',
  SignatureDoesNotMatch: 'The secret key does not belong to this access key.',
  RequestTimeTooSkewed: CLOCK,
  EntityTooLarge: 'The file is larger than the server of the bucket takes.',
  QuotaExceeded: 'The bucket has no space left for the file.',
  XAmzContentSHA256Mismatch: CHANGED,
  BadDigest: CHANGED,
  InvalidObjectState: 'The file is archived: restore it, or put it into another storage class.',
}

const ELSEWHERE = new Set([
  'PermanentRedirect',
  'TemporaryRedirect',
  'AuthorizationHeaderMalformed',
  'AuthorizationQueryParametersError',
  'IllegalLocationConstraintException',
])

function explain({ code, message, region }: Refusal, status: number, use: Use): string | undefined {
  if (ELSEWHERE.has(code) || (status >= 300 && status < 400)) {
    return region === undefined
      ? 'The bucket is in another region, or at another server: see which region is its own, and enter it.'
      : `The bucket is in the region ${region}: enter it as the region.`
  }
  // So a signature of a wrong time is refused.
  if (code === 'AccessDenied' && /expired|not yet valid|not valid yet/i.test(message)) return CLOCK
  if (code === 'AccessDenied') return FORBIDDEN[use]
  return Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
}
