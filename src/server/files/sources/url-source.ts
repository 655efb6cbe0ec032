import type { SourceCredentials } from '../fetch/fetch'
import type { SourceResponse, SourceReach } from './source'

/** A file on a web server. */
export interface UrlSource {
  type: 'URL'
  url: string
  credentials?: SourceCredentials | undefined
  /** The validators of the last response, for a conditional request. */
  etag?: string | null
  lastModified?: string | null
}

/** @throws FileError, or the signal's reason */
export function fetchUrl(
  { url, credentials, etag, lastModified }: UrlSource,
  { fetcher, hosts, signal }: SourceReach,
): Promise<SourceResponse> {
  return fetcher.fetch({ url, credentials, etag, lastModified, hosts, signal })
}
