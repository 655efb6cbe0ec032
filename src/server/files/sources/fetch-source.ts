import { createNameTest } from '../tables/names'
import type { NamedContent, SourceReach, SourceResponse } from './source'
import { openStored, type StoredSource } from './stored-source'
import { fetchUrl, type UrlSource } from './url-source'

/** A source's location and credentials: one union member for each type of source. */
export type OpenableSource = (UrlSource | StoredSource) & {
  /** The name of files that are full; `*` stands for any text. */
  fullName?: string | null
}

/**
 * Fetches a source of any type, for syncs and previews alike.
 * @throws FileError, or the signal's reason
 */
export async function fetchSource(
  { fullName = null, ...source }: OpenableSource,
  reach: SourceReach,
): Promise<SourceResponse> {
  const response = await openSource(source, reach)
  if (response.kind === 'unchanged') return response
  // A name may be a secret of its address: whoever reads the content does not get to know it.
  const { fileName, ...content } = response
  return { ...content, isNamedFull: fullName !== null && createNameTest(fullName)(fileName) }
}

function openSource(
  source: UrlSource | StoredSource,
  reach: SourceReach,
): Promise<{ kind: 'unchanged' } | NamedContent> {
  switch (source.type) {
    case 'URL':
      // Content that is not CSV is refused later, when its first bytes are read.
      return fetchUrl(source, reach)
    case 'STORED':
      return openStored(source)
  }
}
