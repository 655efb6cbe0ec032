import type { SourceCredentials } from '../fetch/fetch'
import type { NamedContent, SourceReach } from './source'

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
export async function fetchUrl(
  { url, credentials, etag, lastModified }: UrlSource,
  { fetcher, hosts, signal }: SourceReach,
): Promise<{ kind: 'unchanged' } | NamedContent> {
  const response = await fetcher.fetch({ url, credentials, etag, lastModified, hosts, signal })
  if (response.kind === 'unchanged') return response
  const { finalUrl: _, ...content } = response
  return content
}
