import { FileError } from '../file-error'
import { describeTransferFailure } from './connect-failure'
import { gunzip, isGzip } from './gunzip'
import { type HttpResponse, headerOf, validatorOf } from './http-response'
import { type MinimumSpeed, enforceMinimumSpeed } from './minimum-speed'

/** The bytes of a file, decompressed; can be read once. */
interface FetchedBody extends AsyncIterable<Buffer> {
  /** Aborts the transfer, as leaving a `for await` loop over the body does. */
  destroy(): void
}

export interface FetchedContent {
  kind: 'content'
  body: FetchedBody
  etag: string | null
  lastModified: string | null
  /** The `Content-Type` without parameters, in lower case; many servers send a wrong one for CSV. */
  mediaType: string
  /** The `charset` of the `Content-Type`, in lower case; often a server's default, not the file's. */
  charset: string | null
  compression: 'none' | 'gzip'
  /** The `Content-Length`; null if there is none, or if it is that of the compressed body. */
  expectedBytes: number | null
  finalUrl: string
}

interface ContentOptions {
  finalUrl: string
  maxBytes: number
  minimumSpeed: MinimumSpeed
  signal: AbortSignal
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** Closes the connection; called when the body has ended for any reason. */
  release: () => void
}

/**
 * Reads a file from a 200 response: enforces the minimum speed, decompresses, limits the size. Waits
 * for the first two bytes, which show whether the file is gzip, whatever the headers say.
 * @throws FileError
 */
export async function openContent(
  response: HttpResponse,
  options: ContentOptions,
): Promise<FetchedContent> {
  const { maxBytes, minimumSpeed, signal, now, release } = options
  const contentLength = readContentLength(response)
  if (contentLength !== null && contentLength > maxBytes) throw tooLarge(maxBytes)
  const isEncoded = readContentEncoding(headerOf(response, 'content-encoding'))
  const raw = await peek(
    withTransferErrors(enforceMinimumSpeed(response, minimumSpeed, signal, now), signal),
  )
  const isCompressed = isGzip(raw.head)
  if (isEncoded && !isCompressed && raw.head.length > 0) throw notCompressed()
  const decoded = isCompressed ? await peek(gunzip(raw.all)) : raw
  if (isCompressed && isGzip(decoded.head)) {
    throw new FileError('unknown-compression', 'The file is compressed twice.')
  }
  return {
    kind: 'content',
    body: createBody(limitBytes(decoded.all, maxBytes), release),
    etag: validatorOf(response, 'etag'),
    lastModified: validatorOf(response, 'last-modified'),
    mediaType: readMediaType(headerOf(response, 'content-type')),
    charset: readCharset(headerOf(response, 'content-type')),
    compression: isCompressed ? 'gzip' : 'none',
    expectedBytes: isCompressed ? null : contentLength,
    finalUrl: options.finalUrl,
  }
}

function readContentLength(response: HttpResponse): number | null {
  const header = headerOf(response, 'content-length')
  return header === null ? null : Number(header)
}

function readContentEncoding(header: string | null): boolean {
  const encoding = (header ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  throw new FileError(
    'unknown-compression',
    `The server sent the file compressed as "${encoding.slice(0, 40)}"; only gzip can be read.`,
  )
}

function notCompressed(): FileError {
  return new FileError(
    'gzip-damaged',
    'The server says that the file is compressed with gzip, but it is not.',
  )
}

function readMediaType(header: string | null): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Longer names are not those of charsets. */
const MAX_CHARSET_LENGTH = 40

function readCharset(header: string | null): string | null {
  const name = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec((header ?? '').slice(0, 1_000))?.[1]
  return name?.slice(0, MAX_CHARSET_LENGTH).toLowerCase() ?? null
}

async function* withTransferErrors(
  source: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* source
  } catch (error) {
    throw signal.aborted ? signal.reason : describeTransferFailure(error, 'body')
  }
}

/** Reads ahead the first two bytes, which are enough for the signature of gzip. */
async function peek(
  source: AsyncGenerator<Buffer>,
): Promise<{ head: Buffer; all: AsyncGenerator<Buffer> }> {
  let head: Buffer = Buffer.alloc(0)
  while (head.length < 2) {
    const next = await source.next()
    if (next.done) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  async function* all() {
    try {
      if (head.length > 0) yield head
      yield* source
    } finally {
      await source.return(undefined)
    }
  }
  return { head, all: all() }
}

async function* limitBytes(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

function createBody(source: AsyncGenerator<Buffer>, destroy: () => void): FetchedBody {
  async function* read() {
    try {
      yield* source
    } finally {
      destroy()
    }
  }
  const reader = read()
  return { [Symbol.asyncIterator]: () => reader, destroy }
}

function tooLarge(maxBytes: number): FileError {
  const megabytes = Math.floor(maxBytes / (1024 * 1024))
  const limit = megabytes > 0 ? `${megabytes} MB` : `${maxBytes} bytes`
  return new FileError('too-large', `The file is larger than ${limit}, the maximum size.`)
}
