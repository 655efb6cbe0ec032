import { nameOfAddress } from '../../../shared/file-name'
import { isS3Address } from '../../../shared/s3-address'
import { readShareLink } from '../../../shared/share-link'
import type { SourceCredentials } from '../fetch/fetch-context'
import type { FetchedContent } from '../fetch/fetched-content'
import type { FileServerAccess } from '../fetch/file-server'
import type { TimedName } from '../fetch/newest-file'
import type { Tidying } from '../fetch/tidying'
import { FileError } from '../file-error'
import type { S3Access } from '../presign-s3'
import { presignObject } from './s3-source'
import type { NamedContent, SourceReach } from './source'

/** A file at an address. */
export interface UrlSource {
  type: 'URL'
  url: string
  credentials?: SourceCredentials | undefined
  /** For a file in a bucket: only a signed address leaves this process. */
  s3?: S3Access | undefined
  /** How we sign in to a server of SFTP or FTP. */
  server?: FileServerAccess | undefined
  /** Whether it is no fault that there is no file. */
  mayBeGone?: boolean
  /** Of several files that fit, those are not looked at that are older than this one, which was read last. */
  notBefore?: TimedName | undefined
  /** Instead of being read, a file that was read is moved or deleted. */
  tidying?: Tidying | undefined
  /** The validators of the last response, for a conditional request. */
  etag?: string | null
  lastModified?: string | null
  /** The host at which a slot for the first request is held already, until the source has been read. */
  enteredHost?: string | undefined
}

/**
 * Fetches a file, that of a link by which people share it at a service from where the file itself is.
 * @throws FileError, or the signal's reason
 */
export async function fetchUrl(
  {
    url,
    credentials,
    s3,
    server,
    mayBeGone = false,
    notBefore,
    tidying,
    etag,
    lastModified,
    enteredHost,
  }: UrlSource,
  { fetcher, hosts, isAwaited = false, signal }: SourceReach,
): Promise<{ kind: 'unchanged' } | NamedContent> {
  const link = readShareLink(url)
  if (link?.refusal !== undefined) throw new FileError('bad-address', link.refusal)
  const validators = { etag, lastModified }
  const file = isS3Address(url)
    ? { url: await presignObject(url, s3), isS3: true }
    : { url: link?.fileUrl ?? url, credentials, server, isAwaited, mayBeGone, notBefore, tidying }
  const request = { ...file, ...validators, enteredHost, hosts, signal }
  const response = await fetcher.fetch(request)
  if (response.kind === 'unchanged') return response
  if (link && isPage(response)) {
    response.body.destroy()
    throw new FileError('not-csv-html', link.pageMeaning)
  }
  const { finalUrl: _, ...content } = response
  return content
}

/** Whether it is shown to people: a file, even one in HTML, is sent with its name. */
const isPage = ({ mediaType, fileName, finalUrl }: FetchedContent): boolean =>
  mediaType === 'text/html' && fileName === nameOfAddress(new URL(finalUrl))
