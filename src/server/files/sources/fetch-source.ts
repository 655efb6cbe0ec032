import { atAddress } from '../at-address'
import { createNameTest } from '../tables/names'
import { type OverlaySource, storeOverlay } from './overlay-source'
import type { NamedContent, SourceContent, SourceReach, SourceResponse } from './source'
import { openStored, type StoredSource } from './stored-source'
import { fetchUrl, type UrlSource } from './url-source'

/** A source's location and credentials: one union member for each type of source. */
export type OpenableSource = (UrlSource | StoredSource) & {
  /** The name of files that are full; `*` stands for any text. */
  fullName?: string | null
  overlay?: OverlaySource | undefined
}

/**
 * Fetches a source of any type, for syncs and previews alike, and its overlay, if it has one.
 * @throws FileError, or the signal's reason
 */
export function fetchSource(
  { overlay, ...source }: OpenableSource,
  reach: SourceReach,
): Promise<SourceResponse> {
  return overlay ? fetchBoth(source, overlay, reach) : fetchOne(source, reach)
}

/**
 * A file and its overlay are unchanged only together. If one of them has changed, both are fetched, because neither is
 * kept. Never two at a time: syncs that each hold one place at a host would wait for each other's.
 */
async function fetchBoth(
  source: OpenableSource,
  overlay: OverlaySource,
  reach: SourceReach,
): Promise<SourceResponse> {
  const fetchFirst = (first: OpenableSource) => atAddress('first', () => fetchOne(first, reach))
  const fetchSecond = (second: OverlaySource) =>
    atAddress('second', () => storeOverlay(second, reach))
  let stored = await fetchSecond(overlay)
  if (stored.kind === 'unchanged') {
    const first = await fetchFirst(source)
    if (first.kind === 'unchanged') return first
    first.body.destroy()
    stored = await fetchSecond({ ...overlay, source: { ...overlay.source, ...ANEW } })
  }
  const content = await fetchFirst({ ...source, ...ANEW })
  return { ...requireContent(content), overlay: requireContent(stored) }
}

/** Without validators, whatever has been read before is sent again. */
const ANEW = { etag: null, lastModified: null }

function requireContent<Content extends { kind: 'content' }>(
  response: { kind: 'unchanged' } | Content,
): Content {
  if (response.kind === 'unchanged') throw new Error('A request without validators has no content')
  return response
}

async function fetchOne(
  { fullName = null, ...source }: OpenableSource,
  reach: SourceReach,
): Promise<{ kind: 'unchanged' } | SourceContent> {
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
