import type { FeedContent } from '../fetch/feed-content'
import type { FeedFetcher } from '../fetch/fetch'
import type { HostGate } from '../fetch/host-gate'

/** What a task has at hand to reach a source. */
export interface SourceReach {
  fetcher: FeedFetcher
  /** Whose turn it is at each host; without it, a request waits for nobody. */
  hosts?: HostGate | undefined
  /** Ends the request, and the body that came of it. */
  signal: AbortSignal
}

/** The text of a CSV file, in any encoding and dialect, and what its source says of it. */
export type CsvContent = Omit<FeedContent, 'finalUrl'>

export type SourceResponse = { kind: 'unchanged' } | CsvContent
