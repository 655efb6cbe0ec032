import type { SourceResponse, SourceReach } from './source'
import { openUrl, type UrlSource } from './url-source'

/** Where a source is, and what asking for it takes: one member for each type of source. */
export type FeedSource = UrlSource

/**
 * Opens a source of any type, for syncs and previews alike. What comes out is CSV, whatever the
 * source keeps: this is the one place where other formats become CSV.
 * @throws FeedError, or the signal's reason
 */
export function openCsv(source: FeedSource, reach: SourceReach): Promise<SourceResponse> {
  switch (source.type) {
    case 'URL':
      // What is no CSV is refused where its head is read.
      return openUrl(source, reach)
  }
}
