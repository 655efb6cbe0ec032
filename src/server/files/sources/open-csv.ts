import type { SourceResponse, SourceReach } from './source'
import { openUrl, type UrlSource } from './url-source'

/** A source's location and credentials: one union member for each type of source. */
export type OpenableSource = UrlSource

/**
 * Opens a source of any type, for syncs and previews alike. The result is always CSV: this is the one
 * place where other formats would be converted.
 * @throws FileError, or the signal's reason
 */
export function openCsv(source: OpenableSource, reach: SourceReach): Promise<SourceResponse> {
  switch (source.type) {
    case 'URL':
      // Content that is not CSV is refused later, when its first bytes are read.
      return openUrl(source, reach)
  }
}
