import type { WrittenKeys } from '../../../files/file-readers'
import type { FileReport } from '../../../files/ingest'
import type { StoredFile } from '../../../storage/file-store'
import type { GoneColumns } from '../../catalogue/gone-items/gone-items'
import type { Verdict } from '../publishing/examine-file'

/** A source's file, read, stored and compared with the published one. */
export type FetchedFile = {
  kind: 'file'
  file: StoredFile
  keys: WrittenKeys | null
  report: FileReport
  etag: string | null
  lastModified: string | null
  verdict: Verdict
  /** The items that are gone with it; null for a file that is not to be published. */
  gone: GoneColumns | null
}
export type Fetched = { kind: 'unchanged' } | FetchedFile
