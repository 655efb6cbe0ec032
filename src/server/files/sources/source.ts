import type { FileFetcher } from '../fetch/fetch'
import type { FetchedContent } from '../fetch/fetched-content'
import type { HostGate } from '../fetch/host-gate'

/** What is needed to fetch a source. */
export interface SourceReach {
  fetcher: FileFetcher
  /** Whether a file that may still be written is waited for. */
  isAwaited?: boolean
  /** Limits requests per host; without it they are not limited. */
  hosts?: HostGate | undefined
  /** Aborts the request, and the transfer of its body. */
  signal: AbortSignal
  /** Called with the bytes of an overlay that have arrived. */
  onStored?: ((bytes: number) => void) | undefined
}

/** The bytes of a file, as they were sent, with the metadata of its response. */
export type NamedContent = Omit<FetchedContent, 'finalUrl'>

/** What is known of content that is stored until it is read. */
export type StoredContent = Omit<NamedContent, 'fileName' | 'foundName' | 'body'> & {
  /** As it was sent, which may be compressed. */
  sizeBytes: number
}

/** What is read of it. */
export type SourceContent = Omit<NamedContent, 'fileName'> & {
  /** Whether its name is that of full files. */
  isNamedFull: boolean
  /** What is known of its overlay, which the task names, if it has one. */
  overlay?: StoredContent
}

export type SourceResponse = { kind: 'unchanged' } | SourceContent
