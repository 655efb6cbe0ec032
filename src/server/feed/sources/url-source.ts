import type { SourceCredentials } from '../fetch/fetch'
import type { SourceResponse, SourceReach } from './source'

/** A file that a web server sends. */
export interface UrlSource {
  type: 'URL'
  url: string
  credentials?: SourceCredentials | undefined
  /** What the last answer carried; the source may then answer that nothing has changed. */
  etag?: string | null
  lastModified?: string | null
}

/** @throws FeedError, or the signal's reason */
export function openUrl(
  { url, credentials, etag, lastModified }: UrlSource,
  { fetcher, hosts, signal }: SourceReach,
): Promise<SourceResponse> {
  return fetcher.fetch({ url, credentials, etag, lastModified, hosts, signal })
}
