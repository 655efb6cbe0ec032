import type { SourceReach, SourceResponse } from './source'
import { openStored, type StoredSource } from './stored-source'
import { fetchUrl, type UrlSource } from './url-source'

/** A source's location and credentials: one union member for each type of source. */
export type OpenableSource = UrlSource | StoredSource

/**
 * Fetches a source of any type, for syncs and previews alike.
 * @throws FileError, or the signal's reason
 */
export function fetchSource(source: OpenableSource, reach: SourceReach): Promise<SourceResponse> {
  switch (source.type) {
    case 'URL':
      // Content that is not CSV is refused later, when its first bytes are read.
      return fetchUrl(source, reach)
    case 'STORED':
      return openStored(source)
  }
}
