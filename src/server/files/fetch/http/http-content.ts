import { nameOfAddress, readDispositionName, toFileName } from '../../../../shared/file-name'
import { FileError } from '../../file-error'
import type { FetchContext, FetchResources } from '../fetch-context'
import type { FetchedContent } from '../fetched-content'
import { openContent } from '../open-content'
import { headerOf, type HttpResponse, validatorOf } from './http-response'

/** Reads a file from a 200 response. @throws FileError */
export function openHttpContent(
  response: HttpResponse,
  { href }: URL,
  context: FetchContext,
  resources: FetchResources,
): Promise<FetchedContent> {
  const facts = {
    isEncoded: readContentEncoding(headerOf(response, 'content-encoding')),
    expectedBytes: readContentLength(response),
    etag: validatorOf(response, 'etag'),
    lastModified: validatorOf(response, 'last-modified'),
    mediaType: readMediaType(headerOf(response, 'content-type')),
    charset: readCharset(headerOf(response, 'content-type')),
    finalUrl: href,
    fileName: readName(response, href),
  }
  return openContent(response as AsyncIterable<Buffer>, facts, context, resources)
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

function readMediaType(header: string | null): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Longer names are not those of charsets. */
const MAX_CHARSET_LENGTH = 40

function readCharset(header: string | null): string | null {
  const name = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec((header ?? '').slice(0, 1_000))?.[1]
  return name?.slice(0, MAX_CHARSET_LENGTH).toLowerCase() ?? null
}
