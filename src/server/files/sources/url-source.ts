import { nameOfAddress } from '../../../shared/file-name'
import { readShareLink } from '../../../shared/share-link'
import type { SourceCredentials } from '../fetch/fetch'
import type { FetchedContent } from '../fetch/fetched-content'
import { FileError } from '../file-error'
import type { NamedContent, SourceReach } from './source'

/** A file on a web server. */
export interface UrlSource {
  type: 'URL'
  url: string
  credentials?: SourceCredentials | undefined
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
  { url, credentials, etag, lastModified, enteredHost }: UrlSource,
  { fetcher, hosts, signal }: SourceReach,
): Promise<{ kind: 'unchanged' } | NamedContent> {
  const link = readShareLink(url)
  if (link?.refusal !== undefined) throw new FileError('bad-address', link.refusal)
  const validators = { etag, lastModified }
  const request = {
    url: link?.fileUrl ?? url,
    credentials,
    ...validators,
    enteredHost,
    hosts,
    signal,
  }
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
