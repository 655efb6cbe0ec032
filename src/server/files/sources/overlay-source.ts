import { fillScratchFile } from '../../storage/scratch-file'
import type { FetchedBody } from '../fetch/fetched-content'
import type { SourceReach, StoredContent } from './source'
import { fetchUrl, type UrlSource } from './url-source'

/** A second source, whose table is joined to that of the first, and the scratch file that keeps it until both are read. */
export interface OverlaySource {
  source: UrlSource
  file: string
}

/** Fetches an overlay into its file. @throws FileError, or the signal's reason */
export async function storeOverlay(
  { source, file }: OverlaySource,
  reach: SourceReach,
): Promise<{ kind: 'unchanged' } | StoredContent> {
  const response = await fetchUrl(source, reach)
  if (response.kind === 'unchanged') return response
  const { body, fileName: _, foundName: __, ...content } = response
  try {
    const { sizeBytes } = await fillScratchFile(file, counted(body, reach.onStored))
    return { ...content, sizeBytes }
  } finally {
    body.destroy()
  }
}

async function* counted(body: FetchedBody, onStored: SourceReach['onStored']) {
  let bytes = 0
  for await (const pieces of body) {
    for (const piece of pieces) {
      yield piece
      bytes += piece.length
    }
    onStored?.(bytes)
  }
}
