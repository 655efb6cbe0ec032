import type { Generated } from 'kysely'

import type { ConnectionType, FileFormat, SyncOutcome } from '../../../shared/constants'
import type { ColumnNumbers, KnownMark } from '../../../shared/schemas/column-numbers'
import type { ColumnPolicy } from '../../../shared/schemas/column-policy'
import type { Comparison } from '../../../shared/schemas/comparison'
import type {
  CategoryCount,
  CategoryReading,
  Dialect,
  FileProblem,
  Receipt,
} from '../../../shared/schemas/file'
import type { Guard, HoldReason } from '../../../shared/schemas/publishing'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { UpdateSettings } from '../../../shared/schemas/updates'
import type {
  AppliedOverlay,
  AppliedUpdate,
  ReadFile,
  StoredConfig,
  StoredGap,
  StoredOverlay,
} from '../stored-json'

export type ConnectionsTable = {
  id: Generated<number>
  supplierId: number
  name: string
  type: ConnectionType
  config: StoredConfig
  fileFormat: FileFormat
  syncFrequencyMinutes: number
  /** How often a file is to come at least to a connection without an address; null: it is never late. */
  expectedEveryHours: number | null
  isActive: Generated<boolean>
  /** The category column and its separators, fixed at the first sync or by the supplier. */
  categoryReading: CategoryReading | null
  /** What the supplier chose of how the file is read. */
  reading: Generated<SourceReading>
  /** How its files are read of which each has only what has changed; null: each is a full one. */
  updates: UpdateSettings | null
  /** A second address, whose table is joined to that of the first; null without one. */
  overlay: StoredOverlay | null
  /** What the supplier has decided of the columns. */
  columnPolicy: Generated<ColumnPolicy>
  /** The decimal marks that its published files have shown. */
  decimalMarks: Generated<KnownMark[]>
  /** What holds a file back. */
  guard: Generated<Guard>
  publishedVersionId: number | null
  /** The last file of the source, if it is held. */
  heldVersionId: number | null
  lastSyncAt: number | null
  lastAttemptAt: number | null
  lastError: string | null
  consecutiveFailures: Generated<number>
  /** When its next sync is due; null while inactive. */
  nextSyncAt: number | null
  /** Fencing token of the run that holds the lease: only its holder may publish. */
  leaseToken: string | null
  leaseUntil: number | null
  /** Whether the run that holds the lease has left the queue and is working. */
  isRunning: Generated<boolean>
  /** Whether its source sent slowly the last time; such connections are claimed after the others. */
  isSlow: Generated<boolean>
  /** Validators of the last response, for conditional requests. */
  etag: string | null
  lastModified: string | null
  /** Those of its overlay. */
  overlayEtag: string | null
  overlayLastModified: string | null
  lastFullFetchAt: number | null
  /**
   * The file at its address that does not come back: the last one that was read, if files are updates, or one
   * that a file sent by hand has taken the place of.
   */
  outdatedSha256: string | null
  /** The file that was read last, if files are moved or deleted at their server. */
  readFile: ReadFile | null
  createdAt: number
}

export type SyncRunsTable = {
  id: Generated<number>
  connectionId: number
  leaseToken: string
  startedAt: number
  /** How long it was due; null in rows older than this column. */
  waitedMs: number | null
  finishedAt: number | null
  outcome: SyncOutcome | null
  /** The error's code, which distinguishes our own outage from a source's. */
  errorCode: string | null
  error: string | null
  versionId: number | null
  /** Until the run has finished, its progress so far. */
  sizeBytes: number | null
  rowCount: number | null
  /** The size that the source has announced; null if it has not. */
  expectedBytes: number | null
}

/** What came of the runs that finished in an hour that is over. */
export type RunHoursTable = Record<SyncOutcome, number> & {
  /** When the hour began. */
  startedAt: number
  /** The runs of which it is known how long they waited, how long in all, and how long at most. */
  waitCount: number
  waitedMs: number
  longestWaitMs: number
}

/** Running requests to the hosts of sources, of all processes. */
export type HostRequestsTable = {
  id: Generated<number>
  host: string
  startedAt: number
}

type VersionStatus = 'published' | 'held' | 'discarded'

export type VersionsTable = {
  id: Generated<number>
  connectionId: number
  fileName: string
  sha256: string
  sizeBytes: number
  rowCount: number
  status: VersionStatus
  /** Why the guard held it; null if it did not. */
  holdReasons: HoldReason[] | null
  /** Who published it; null if a sync did. */
  publishedBy: number | null
  /** The version whose content was published again as this one. */
  restoredFrom: number | null
  /** When its content was last known to be the source's, if that is not when it was published. */
  dataAt: number | null
  /** When an older version was published instead of it. */
  rolledBackAt: number | null
  /** When somebody decided that it is not to be published. */
  discardedAt: number | null
  isPinned: Generated<boolean>
  isRewritten: boolean
  quantityColumn: string | null
  quantitySum: number | null
  /** How the numbers of its possible quantity columns are written; null in rows older than this column. */
  numbers: ColumnNumbers[] | null
  categoryReading: CategoryReading | null
  createdAt: number
  publishedAt: number | null
  columns: string[]
  dialect: Dialect
  /** How it was sent; null if it was fetched, and in rows older than this column. */
  received: Receipt | null
  problems: FileProblem[]
  categoryCounts: CategoryCount[]
  /** A few of their cells; null in rows older than this column. */
  categoryExamples: string[] | null
  headRows: string[][]
  /** null in rows older than this column, whose `columns` has all names, not only those of previews. */
  columnCount: number | null
  /** Its key file; null in rows older than this column, and for a file without a column of keys. */
  keysSha256: string | null
  keysBytes: number | null
  keyColumn: string | null
  /** The column of the quantities in the key file; null if there is not one. */
  keyQuantityColumn: string | null
  /** Distinct keys. */
  keyCount: number | null
  /** Rows whose key another row before them has. */
  repeatedRows: number | null
  keylessRows: number | null
  /** The update that it came of; null for a full file. */
  fromUpdate: AppliedUpdate | null
  /** What came of joining its overlay; null for a file without one. */
  fromOverlay: AppliedOverlay | null
  /** What it lacks, if updates were lost; null for nothing. */
  gap: StoredGap | null
  /** To the version that was published before it; null if the two could not be compared. */
  difference: Comparison | null
  /** The list of the items that have left its file and earlier ones; null without any. */
  goneSha256: string | null
  goneBytes: number | null
  goneCount: number | null
  /** Items for which the list had no room. */
  goneDropped: number | null
}
