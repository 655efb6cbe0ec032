import type { WrittenKeys } from '../../feed/feed-reader'
import type { FeedReport } from '../../feed/ingest'
import type { StoredFile } from '../../storage/file-store'
import type { Verdict } from '../publishing/examine-file'

/** A source's file, read, stored and compared with the published one. */
export type FetchedFile = {
  kind: 'file'
  file: StoredFile
  keys: WrittenKeys | null
  report: FeedReport
  etag: string | null
  lastModified: string | null
  verdict: Verdict
}
export type Fetched = { kind: 'unchanged' } | FetchedFile
