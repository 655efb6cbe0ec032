import { nameOfAddress, readDispositionName, toFileName } from '../../../shared/file-name'
import type { Compression } from '../../../shared/table-forms'
import { FileError } from '../file-error'
import { limitBytes, peek, tooLarge } from './body-limits'
import { describeTransferFailure } from './connect-failure'
import { compressionOf, SIGNATURE_BYTES } from './decompress'
import { type HttpResponse, headerOf, validatorOf } from './http-response'
import { type MinimumSpeed, enforceMinimumSpeed } from './minimum-speed'

/** The bytes of a file as they were sent, in pieces that arrived together; can be read once. */
export interface FetchedBody extends AsyncIterable<readonly Buffer[]> {
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
  compression: Compression
  /** The `Content-Length`; null if there is none, or if it is that of the compressed body. */
  expectedBytes: number | null
  finalUrl: string
  /** As its server calls the file, or else its address; empty without one. */
  fileName: string
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
 * Reads a file from a 200 response: enforces the minimum speed, limits the size. Waits
 * for the first bytes, which show how the file is compressed, whatever the headers say.
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
    SIGNATURE_BYTES,
  )
  const compression = compressionOf(raw.head)
  if (isEncoded && compression !== 'gzip' && raw.head.length > 0) throw notCompressed()
  return {
    kind: 'content',
    body: toBody(limitBytes(raw.all, maxBytes), release),
    etag: validatorOf(response, 'etag'),
    lastModified: validatorOf(response, 'last-modified'),
    mediaType: readMediaType(headerOf(response, 'content-type')),
    charset: readCharset(headerOf(response, 'content-type')),
    compression,
    expectedBytes: compression === 'none' ? contentLength : null,
    finalUrl: options.finalUrl,
    fileName: readName(response, options.finalUrl),
  }
}

function readName(response: HttpResponse, finalUrl: string): string {
  const said = readDispositionName(headerOf(response, 'content-disposition') ?? undefined)
  return (said && toFileName(said)) || nameOfAddress(new URL(finalUrl))
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

/** @param destroy called when the body has ended for any reason */
export function toBody(source: AsyncGenerator<Buffer>, destroy: () => void): FetchedBody {
  async function* read() {
    try {
      for await (const chunk of source) yield [chunk]
    } finally {
      destroy()
    }
  }
  return Object.assign(read(), { destroy })
}
