/** The constants and limits of docs/rules.md. */

export const ROLES = ['SUPER_ADMIN', 'SUPPLIER', 'RETAILER'] as const
export type Role = (typeof ROLES)[number]

/** What one batch of calls may cost together, and the most that a call costs. */
export const MAX_BATCH_COST = 20
export const MAX_CALL_COST = 5

export const CONNECTION_TYPES = ['URL', 'FTP', 'EMAIL', 'DATABASE'] as const
export type ConnectionType = (typeof CONNECTION_TYPES)[number]
/** The types that can be chosen today; the others are shown as Coming Soon. */
export const USABLE_CONNECTION_TYPES: readonly ConnectionType[] = ['URL']

export const FILE_FORMATS = ['CSV', 'EXCEL', 'XML'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]
export const USABLE_FILE_FORMATS: readonly FileFormat[] = ['CSV']

/** Sync frequencies on offer, in minutes; 0 means real-time. */
export const SYNC_FREQUENCIES = {
  UNLIMITED: 0,
  HOURLY: 60,
  FOUR_HOURS: 240,
  TWELVE_HOURS: 720,
  DAILY: 1440,
} as const

export const CONNECTION_STATUSES = [
  'never-run',
  'queued',
  'running',
  'synced',
  'stale',
  'failed',
  'held',
  'paused',
] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

export const SYNC_OUTCOMES = [
  'published',
  'unchanged',
  'held',
  'failed',
  'postponed',
  'cancelled',
] as const
export type SyncOutcome = (typeof SYNC_OUTCOMES)[number]

export const CRON_JOB_STATUSES = ['idle', 'running', 'succeeded', 'failed'] as const
export type CronJobStatus = (typeof CRON_JOB_STATUSES)[number]
export const CRON_JOB_OUTCOMES = ['succeeded', 'failed', 'cancelled'] as const
export type CronJobOutcome = (typeof CRON_JOB_OUTCOMES)[number]

/** The job that makes backups: the one that Trigger Backup runs. */
export const BACKUP_JOB = 'backup'

export type DownloadStatus = 'ready' | 'processing' | 'failed'

export const DEFAULT_MAX_RETAILERS = 10
export const DEFAULT_RETAILER_SYNC_FREQUENCY = SYNC_FREQUENCIES.DAILY

/** One year, in minutes: the longest pace between two syncs. */
export const MAX_SYNC_FREQUENCY = 525_600

export const PASSWORD_MIN_LENGTH = 6
export const PASSWORD_MAX_LENGTH = 256
export const USERNAME_MAX_LENGTH = 100
export const NAME_MAX_LENGTH = 200
export const EMAIL_MAX_LENGTH = 254
export const URL_MAX_LENGTH = 2_048

/** A category cell beyond one of these has no category. */
export const CATEGORY_CELL_MAX_LENGTH = 1_000
export const CATEGORY_MAX_ENTRIES = 50
export const CATEGORY_MAX_LEVELS = 20
/** A category as it is chosen: a cell's longest path with ` > ` for each of its separators. */
export const CATEGORY_PATH_MAX_LENGTH = CATEGORY_CELL_MAX_LENGTH + 2 * (CATEGORY_MAX_LEVELS - 1)

/** A longer column name is cut to this wherever it is shown or compared. */
export const COLUMN_NAME_MAX_LENGTH = 200

/** Rows shown by the inventory previews. */
export const INVENTORY_PREVIEW_ROWS = 10
/** Rows shown by the CSV preview dialog, and kept with every version. */
export const HEAD_ROWS = 100
/** Columns shown by previews, and kept with every version. */
export const HEAD_COLUMNS = 200

/** What a preview says of a file that is no CSV, before the reason. */
export const PARSE_FAILED = 'Failed to parse CSV data'

/** The BroadcastChannel on which the identity provider's window reports how the sign-in ended. */
export const GOOGLE_POPUP_CHANNEL = 'stockbridge-google'

export const TOAST_DURATION_MS = 5_000
export const TOAST_SWIPE_THRESHOLD_PX = 50

/** The columns by which the lists can be sorted. */
export const RETAILER_SORT_COLUMNS = ['storeName', 'storeUrl', 'createdAt'] as const
export const SUPPLIER_SORT_COLUMNS = [
  'companyName',
  'username',
  'contactEmail',
  'maxRetailers',
  'createdAt',
  'isActive',
] as const
/** A longer search is cut. */
export const SEARCH_MAX_LENGTH = 200
