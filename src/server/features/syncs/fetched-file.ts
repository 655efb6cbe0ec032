import type { FeedReport } from '../../feed/ingest'
import type { FileKeys } from '../../feed/keys/file-keys'
import type { StoredFile } from '../../storage/file-store'
import type { Verdict } from '../publishing/examine-file'

/** A file's key file. */
type StoredKeys = { content: StoredFile; report: FileKeys }

/** A source's file, read, stored and compared with the published one. */
export type FetchedFile = {
  kind: 'file'
  file: StoredFile
  report: FeedReport
  keys: StoredKeys | null
  etag: string | null
  lastModified: string | null
  verdict: Verdict
}
export type Fetched = { kind: 'unchanged' } | FetchedFile
