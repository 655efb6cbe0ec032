import type { Coding } from '../../shared/content-codings'
import type { DecimalMark } from '../../shared/schemas/column-numbers'
import type { FoundStockTexts } from '../../shared/schemas/column-policy'
import type { ChangedItemsPage, Comparison } from '../../shared/schemas/comparison'
import type { SourcePreview } from '../../shared/schemas/connection'
import type { DigestChanges } from '../../shared/schemas/digest'
import type { CategoryReading, Origin } from '../../shared/schemas/file'
import type { JoinChoices, JoinCounts } from '../../shared/schemas/overlay'
import type { SourceReading } from '../../shared/schemas/source-reading'
import type { Removal, UpdateCounts } from '../../shared/schemas/updates'
import type { BrowsedRows, BrowseOptions } from './browse'
import type { ListChangesOptions } from './comparison/list-changes'
import type { ComparisonListOptions } from './comparison/write-comparison'
import type { DigestOptions } from './digest/find-digest'
import type { HostGate } from './fetch/host-gate'
import type { FileErrorCode } from './file-error'
import type { FilteredRows, FilterOptions } from './filter'
import type { FindGoneOptions } from './gone/find-gone'
import type { ItemColumns } from './history/item-records'
import type { FileReport } from './ingest'
import type { ComparableFile } from './keys/comparable'
import type { CompareOptions, FileComparison } from './keys/compare-files'
import type { KeyFacts } from './keys/key-file'
import type { KeyColumns } from './keys/key-rows'
import type { ReadMailResult } from './mail/read-mail'
import type { MergedPart } from './merged/choose-supplier'
import type { MatchingCounts } from './merged/matching'
import type { MergedFacts, MergeOptions } from './merged/merge-parts'
import type { PartFacts, PartOptions } from './merged/part-options'
import type { KnownHeader } from './read/dialect/header'
import type { NumberChoice } from './read/quantities/quantity-column'
import type { ScanOptions } from './read/scan/scan'
import type { OpenableSource } from './sources/fetch-source'
import type { UnlockKeyTask } from './unlock-key'

/** Writes the canonical form of a source to one of its scratch files. */
export interface IngestTask {
  /**
   * Paths: the bytes as received, the table if those are a container of it or if it is merged, the canonical
   * file if it has to be rewritten, its key file, what does not fit into memory while its keys are sorted, and
   * the list of gone items. Others, and those of an update, are named after them.
   */
  drafts: Record<'source' | 'table' | 'rewritten' | 'keys' | 'keyRuns' | 'gone', string>
  /** What the supplier has decided of the columns of keys and quantities. */
  keys: KeyColumns
  /** What is known of the numbers in the quantity column. */
  numbers?: NumberChoice
  /** The column and separators to use; null to detect them. */
  categoryReading: CategoryReading | null
  reading: SourceReading
  /** The encoding of the last published file; null for the first one. */
  previousEncoding: string | null
  /** What was found of its header. */
  previousHeader?: KnownHeader | undefined
  /** Where its table was. */
  previousOrigin?: Origin | undefined
  /** How it is read if it may have only what has changed; without it, it is a full file. */
  updates?: UpdateTask | undefined
  overlay?: OverlayTask | undefined
  /** What the file is compared with. */
  published?: PublishedFile | undefined
}

/** How the overlay of a source is read and joined. */
export interface OverlayTask {
  /** Path of the file that has its bytes, as they were sent. Scratch files are named after it. */
  file: string
  reading: SourceReading
  choices: JoinChoices
}

/** What an update is merged onto. */
export interface UpdateBase extends KeyedPaths {
  keyColumn: string
  /** Whether its columns had names in its source. */
  hasHeader: boolean
  categoryColumn: string | null
}

/** How a file is read that may have only what has changed: an update. */
export interface UpdateTask {
  removal: Removal | null
  /** The name of full files in an archive; that of the file itself has been looked at. */
  fullName: string | null
  /** Whether it is a full file, as was said of it; null: its name tells. */
  isFull: boolean | null
  /** What an update is merged onto, or why there is nothing. */
  base: UpdateBase | { whyNone: string }
  /** What was read last from the same address, which is not merged again; null for nothing. */
  knownSha256: string | null
}

/** What was read of a file that may be an update. */
export interface ReadUpdate {
  /** The hash of its own canonical form. */
  sha256: string
  /** null for a full file. */
  counts: UpdateCounts | null
}

/** What was read of an overlay, and the validators of its response. */
export interface ReadOverlay {
  counts: JoinCounts
  /** The columns of the file that it has replaced, as far as they are listed. */
  replaced: string[]
  etag: string | null
  lastModified: string | null
}

/** The file that a new one is to take the place of. */
export interface PublishedFile extends ComparableFile {
  sha256: string
  /** null: it has no key file. */
  paths: KeyedPaths | null
  /** Whether its columns are called by paths: `findNamed`. */
  arePaths: boolean
  categoryReading: CategoryReading | null
  gone: {
    /** Path of the list of items that had left before. */
    list: string | null
    /** Whether items count as gone from a category too. */
    tracksCategories: boolean
    now: number
  }
}

/** How a new file differs from the published one. */
export interface FileChanges {
  /** null: it has the same content, or their items cannot be compared. */
  difference: Comparison | null
  gone:
    | { kind: 'none' }
    /** The list of gone items stays as it was. */
    | { kind: 'kept'; failure: string | null }
    | { kind: 'written'; content: WrittenContent; count: number; dropped: number }
}

/** The content of a scratch file. */
export interface WrittenContent {
  sha256: string
  sizeBytes: number
}

/** A key file. */
export type WrittenKeys = KeyFacts & { content: WrittenContent }

type IngestResult =
  | { kind: 'unchanged' }
  /** It has the content of `knownSha256`. */
  | (Found & { kind: 'known'; etag: string | null; lastModified: string | null })
  | (Found & {
      kind: 'file'
      /** Which of the task's drafts holds the canonical file. */
      draft: 'source' | 'table' | 'rewritten'
      content: WrittenContent
      /** null for a file without a column of keys. */
      keys: WrittenKeys | null
      /** null when nothing is published. */
      changes: FileChanges | null
      report: FileReport
      /** null unless the task has `updates`. */
      update: ReadUpdate | null
      /** null unless the task has an `overlay`. */
      overlay: ReadOverlay | null
      etag: string | null
      lastModified: string | null
      /** The source's `Content-Type`, without parameters. */
      mediaType: string
    })

/** Of a source whose address has a pattern. */
interface Found {
  /** The name of the file that fits it. */
  foundName?: string | undefined
}

/** Returns what a sync would read from the beginning of a source. */
export interface PreviewTask {
  reading: SourceReading
  /** What was found of the header of the last published file, if there is one, and where its table was. */
  previousHeader?: KnownHeader | undefined
  previousOrigin?: Origin | undefined
  updates?: (UpdateTask & Pick<KeyColumns, 'roles'>) | undefined
  overlay?: (OverlayTask & Pick<KeyColumns, 'roles'>) | undefined
  /**
   * Path of the scratch file for a container, of which parts are read in any order; others are named after it.
   */
  draft: string
}

interface PreviewResult extends Found {
  preview: SourcePreview
  mediaType: string
}

/** What of a stored canonical file is written, and how. */
type Selection = Omit<FilterOptions, 'until' | 'gone' | 'signal'> & {
  /** The list of items that have left the file, by its path. */
  gone?: { keyColumn: string; file: string } | undefined
}

/** Writes rows of a stored canonical file, which is read once for up to `MAX_FILTERED_TOGETHER` results. */
export interface FilterTask extends Pick<Selection, 'categoryReading'> {
  /** Path of the stored file. */
  file: string
  /** What each has, and the path of its scratch file. */
  views: readonly FilteredView[]
}

export type FilteredView = Omit<Selection, 'categoryReading'> & { draft: string }

export const MAX_FILTERED_TOGETHER = 8

/** A file that was written, or why it could not be. */
export type FilteredFile =
  | ({ kind: 'written'; content: WrittenContent } & Omit<FilteredRows, 'isWhole'>)
  | { kind: 'refused'; code: FileErrorCode; message: string }

interface FilterResult {
  /** In the order of the task. */
  files: FilteredFile[]
}

/** Returns the first rows that a filter would write. */
export interface SampleTask extends Selection {
  /** Path of the stored file. */
  file: string
  /** Where it stops reading. */
  until: NonNullable<FilterOptions['until']>
}

/** Returns some rows of a stored file, from a place that an earlier task has returned. */
export interface BrowseTask extends Omit<BrowseOptions, 'signal'> {
  /** Path of the stored file. */
  file: string
}

/** Counts the texts of a stored canonical file's quantity column that are no numbers. */
export interface StockTextsTask {
  /** Path of the stored file. */
  file: string
  column: string
  maxBytes: number
}

/** A stored canonical file and its key file, by their paths. */
export interface KeyedPaths {
  file: string
  keys: string
  keysBytes: number
}

/** Compares two stored canonical files by their key files. */
export interface ComparisonTask extends Omit<CompareOptions, 'signal'> {
  older: KeyedPaths
  newer: KeyedPaths
}

/** Lists some of the items that two stored canonical files differ in. */
export interface ChangedItemsTask extends Omit<ListChangesOptions, 'signal'> {
  older: KeyedPaths
  newer: KeyedPaths
}

/** Writes what differs between two stored canonical files as CSV for spreadsheets. */
export interface ComparisonListTask extends Omit<ComparisonListOptions, 'maxBytes' | 'signal'> {
  older: KeyedPaths
  newer: KeyedPaths
  /** Path of the scratch file for the result. */
  draft: string
}

/** `rowCount` is null for more than is written: then the whole file must be sent instead. */
interface WrittenRows {
  content: WrittenContent
  rowCount: number | null
}

/** Writes the list of items that a file no longer has, and those that have left before it. */
export interface GoneItemsTask extends Omit<FindGoneOptions, 'openDraft' | 'limits' | 'signal'> {
  /** `gone`: path of its list; null for none. */
  older: KeyedPaths & { gone: string | null }
  /** `rows`: its path and categories, where items count as gone from a category too; null: they do not. */
  newer: Pick<KeyedPaths, 'keys' | 'keysBytes'> & {
    rows: { file: string; categoryReading: CategoryReading | null } | null
  }
  /** Path of the scratch file for the result; others are named after it. */
  draft: string
}

interface GoneItemsResult {
  /** null for no items. */
  content: WrittenContent | null
  count: number
  /** Items for which the list has no room. */
  dropped: number
}

/** Writes what differs between two files of a retailer. */
export interface DeltaTask {
  /** Path of the older file; `selection`: of the version that it is still to be written from. */
  older: { file: string; selection: Selection | null }
  /** Path of the newer file. */
  newer: string
  /** The version of the newer file, its column of keys, and how the files are written. */
  version: { file: string; keyColumn: string } & Pick<Selection, 'format' | 'pricing'>
  delimiter: ScanOptions['delimiter']
  /** Path of the scratch file for the result; others are named after it. */
  draft: string
}

/** A stored file, and how the part of it is written that somebody may see; without steps, all of it as it is. */
export interface DigestSide {
  keyed: KeyedPaths
  steps: Omit<Selection, 'gone'>[]
}

/** Counts what has changed in the part of a file that somebody may see. */
export interface DigestTask extends Omit<DigestOptions, 'signal'> {
  older: DigestSide
  newer: DigestSide
  /** Scratch files are named after it. */
  draft: string
}

/** A stored file of a history: `files/history`. */
export interface HistoryFile {
  path: string
  records: number
}

/** A history file that was written, with the earliest and the latest time of its records in Unix seconds. */
export interface WrittenHistory {
  content: WrittenContent
  records: number
  first: number
  last: number
}

/** Writes what the items of a version have become since the last one of a history. */
interface HistoryChangesTask {
  /** Path of the version's file. */
  file: string
  /** null: the result is the first state. */
  state: HistoryFile | null
  /** Oldest first. */
  changes: HistoryFile[]
  /** Unix seconds: when the version was published. */
  time: number
  columns: ItemColumns
  /** Path of the scratch file for the result; others are named after it. */
  draft: string
}

/** null for a file without the column of keys. */
interface HistoryChangesResult {
  found:
    | (WrittenHistory & {
        itemCount: number
        priceColumn: string | null
        priceMark: DecimalMark | null
      })
    | null
}

/** Writes the state that changes have led to, and what was before them. */
interface HistoryFoldTask {
  state: HistoryFile
  /** Oldest first. */
  changes: HistoryFile[]
  /** Unix seconds: items that left before are forgotten. */
  forgetBefore: number
  drafts: { state: string; past: string }
}

/** Writes one history file in place of several. */
interface HistoryJoinTask {
  /** Of one kind, oldest first. */
  parts: HistoryFile[]
  /** Unix seconds: of what was before, one value a day is kept; null: all. */
  thinBefore: number | null
  draft: string
}

/** Writes a compressed copy of a stored file. */
export interface CompressTask {
  /** Path of the stored file. */
  file: string
  /** Path of the scratch file for the copy. */
  draft: string
  coding: Coding
}

/** Reads a message that came by mail, and writes the table that is attached to it. */
interface ReadMailTask {
  /** Path of the message, as it came. */
  file: string
  /** Path of the scratch file for the table. */
  draft: string
  /** The host whose results of DMARC count; null: none does. */
  authHost: string | null
}

/** Writes the part file of a retailer's file: what a merged file takes of it. */
export interface PartFileTask extends Omit<
  PartOptions,
  'seen' | 'matching' | 'openRun' | 'signal'
> {
  /** Path of the stored canonical file. */
  file: string
  /** Which rows and columns of it the retailer may see. */
  seen: Omit<Selection, 'gone'>
  /** Path of the retailer's canonical matching file; null for none. */
  matching: string | null
  /** Path of the scratch file for the result; others are named after it. */
  draft: string
}

/** Merges part files. */
export interface MergedFileTask extends Omit<MergeOptions, 'signal'> {
  /** The preferred supplier's first; `file`: path of the part file. */
  parts: (MergedPart & { file: string; sizeBytes: number })[]
  /** Paths of the scratch files for the merged file, its key file, and the items that matched nothing. */
  drafts: Record<'rows' | 'keys' | 'unmatched', string>
}

interface MergedFileResult extends MergedFacts {
  content: WrittenContent
  keys: WrittenContent
  unmatched: WrittenContent
}

/** Counts what a canonical matching file says. */
export interface MatchingTask {
  /** Path of the stored file. */
  file: string
}

/** Every kind of task over the bytes of files, with its input and its result. */
export interface FileTasks {
  ingest: { task: IngestTask; result: IngestResult }
  preview: { task: PreviewTask; result: PreviewResult }
  filter: { task: FilterTask; result: FilterResult }
  sample: { task: SampleTask; result: FilteredRows }
  stockTexts: { task: StockTextsTask; result: FoundStockTexts }
  browse: { task: BrowseTask; result: BrowsedRows }
  comparison: { task: ComparisonTask; result: FileComparison }
  changedItems: { task: ChangedItemsTask; result: ChangedItemsPage }
  comparisonList: { task: ComparisonListTask; result: WrittenRows }
  goneItems: { task: GoneItemsTask; result: GoneItemsResult }
  delta: { task: DeltaTask; result: WrittenRows }
  digest: { task: DigestTask; result: { digest: DigestChanges | null } }
  historyChanges: { task: HistoryChangesTask; result: HistoryChangesResult }
  historyFold: {
    task: HistoryFoldTask
    result: { state: WrittenHistory; past: WrittenHistory }
  }
  historyJoin: { task: HistoryJoinTask; result: WrittenHistory }
  partFile: { task: PartFileTask; result: PartFacts & { content: WrittenContent } }
  mergedFile: { task: MergedFileTask; result: MergedFileResult }
  matching: { task: MatchingTask; result: MatchingCounts }
  compress: { task: CompressTask; result: { content: WrittenContent } }
  readMail: { task: ReadMailTask; result: ReadMailResult }
  unlockKey: { task: UnlockKeyTask; result: { privateKey: string } }
}

export type TaskKind = keyof FileTasks

/** A task, or what makes it: called once its source has something to read, since what has not changed needs no task. */
export type TaskOrMaker<Kind extends TaskKind> =
  | FileTasks[Kind]['task']
  | (() => Promise<FileTasks[Kind]['task']>)

/** How far a task has come. */
export interface TaskProgress {
  /** Bytes read from the source or the file, decompressed. */
  bytes: number
  /** Rows counted; starts again at 0 when the source is read a second time. */
  rows: number
  /** The body's length as announced by the server; null if it was not announced. */
  expectedBytes: number | null
  /** Whether the whole body has been received; the rest of the task does not wait for the source. */
  isReceived?: boolean
  /** Bytes read of stored files besides. */
  storedBytes?: number
}

export interface TaskOptions {
  /** What an ingest or a preview reads. It is fetched first. */
  source?: OpenableSource | undefined
  signal: AbortSignal
  /** Limits an ingest's requests per host; without it they are not limited. */
  hosts?: HostGate | undefined
  onProgress?: (progress: TaskProgress) => void
}

/**
 * Runs every task that reads the bytes of files. In production tasks run in child processes, so that
 * no file can block, starve or crash the process that serves requests; tests run the same tasks
 * inline. Both implementations pass `file-readers.contract.ts`.
 */
export interface FileReaders {
  /**
   * The task writes nothing after the promise has settled.
   * @throws FileError for a source that cannot be used, the signal's reason, or a file system error
   */
  run<Kind extends TaskKind>(
    kind: Kind,
    task: TaskOrMaker<Kind>,
    options: TaskOptions,
  ): Promise<FileTasks[Kind]['result']>
  /** Aborts all running tasks. */
  close(): Promise<void>
}
