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
  /** The host at which a slot for the first request is held already, until the source has been read. */
  enteredHost?: string | undefined
}

/** @throws FileError, or the signal's reason */
export async function fetchUrl(
  { url, credentials, etag, lastModified, enteredHost }: UrlSource,
  { fetcher, hosts, signal }: SourceReach,
): Promise<{ kind: 'unchanged' } | NamedContent> {
  const validators = { etag, lastModified }
  const request = { url, credentials, ...validators, enteredHost, hosts, signal }
  const response = await fetcher.fetch(request)
  if (response.kind === 'unchanged') return response
  const { finalUrl: _, ...content } = response
  return content
}
