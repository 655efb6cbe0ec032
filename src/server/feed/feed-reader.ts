import type { SourcePreview } from '../../shared/schemas/connection'
import type { CategoryReading } from '../../shared/schemas/file'
import type { HostGate } from './fetch/host-gate'
import type { FeedReport } from './ingest'
import type { FeedSource } from './sources/open-csv'

/** Fetches a source and writes its canonical form to one of two scratch files. */
export interface IngestTask {
  source: FeedSource
  /** Paths: the bytes as they come, and the canonical file where it has to be another one. */
  drafts: { source: string; rewritten: string }
  /** The column and separators to use; null to find them. */
  categoryReading: CategoryReading | null
}

/** The content of a scratch file. */
interface WrittenContent {
  sha256: string
  sizeBytes: number
}

type IngestResult =
  | { kind: 'unchanged' }
  | {
      kind: 'file'
      /** Which of the task's drafts holds the canonical file. */
      draft: keyof IngestTask['drafts']
      content: WrittenContent
      report: FeedReport
      etag: string | null
      lastModified: string | null
      /** As the source names it, without parameters. */
      mediaType: string
    }

/** Fetches the beginning of a source and shows what a sync would see. */
export interface PreviewTask {
  source: FeedSource
}

interface PreviewResult {
  preview: SourcePreview
  mediaType: string
}

/** Writes the rows of a stored canonical file that belong to some categories. */
export interface FilterTask {
  /** Path of the stored file. */
  file: string
  /** Path of the scratch file for the result. */
  draft: string
  /** null when the file has no category column: the result is the header alone. */
  categoryReading: CategoryReading | null
  categories: readonly string[]
}

interface FilterResult {
  content: WrittenContent
  rowCount: number
  headRows: string[][]
}

/** The kinds of work over the bytes of feeds, each with what goes in and what comes out. */
export interface FeedTasks {
  ingest: { task: IngestTask; result: IngestResult }
  preview: { task: PreviewTask; result: PreviewResult }
  filter: { task: FilterTask; result: FilterResult }
}

export type TaskKind = keyof FeedTasks

/** How far a task has come. */
export interface TaskProgress {
  /** Bytes read from the source or the file, decompressed. */
  bytes: number
  /** Rows counted; they begin again when a source is read once more. */
  rows: number
  /** How long the server says the body is; null where it does not say. */
  expectedBytes: number | null
  /** The source has sent everything: what follows waits for it no more. */
  isReceived?: boolean
}

export interface TaskOptions {
  signal: AbortSignal
  /** Whose turn it is at each host that an ingest asks; without it, it waits for nobody. */
  hosts?: HostGate | undefined
  onProgress?: (progress: TaskProgress) => void
}

/**
 * Does everything that reads the bytes of feeds. In the product that happens in processes of its
 * own, so that no file can hold up, starve or end the process that answers requests; tests run the
 * same tasks inline. Both pass `feed-reader.contract.ts`.
 */
export interface FeedReader {
  /**
   * A task writes nothing any more once this has settled.
   * @throws FeedError for a source that cannot be used, the signal's reason, or the error of a disk
   */
  run<Kind extends TaskKind>(
    kind: Kind,
    task: FeedTasks[Kind]['task'],
    options: TaskOptions,
  ): Promise<FeedTasks[Kind]['result']>
  /** Ends everything under way. */
  close(): Promise<void>
}
