/** The constants and limits of docs/rules.md. */

export const ROLES = ['SUPER_ADMIN', 'SUPPLIER', 'RETAILER'] as const
export type Role = (typeof ROLES)[number]

/** What a process of the product does: `all` serves the web and does background work; `parent` starts web processes. */
export const PROCESS_ROLES = ['all', 'web', 'parent', 'worker', 'inbox'] as const
export type ProcessRole = (typeof PROCESS_ROLES)[number]

/** What a person of a company may do: docs/rules.md#people-of-a-company */
export const MEMBER_ROLES = ['OWNER', 'EDITOR', 'VIEWER', 'BUYER', 'TECHNICIAN'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]
export const MEMBER_ROLES_OF: Record<Exclude<Role, 'SUPER_ADMIN'>, readonly MemberRole[]> = {
  SUPPLIER: ['OWNER', 'EDITOR', 'VIEWER'],
  RETAILER: ['OWNER', 'BUYER', 'TECHNICIAN'],
}

/** What a call is about, as far as it matters who of a company makes it. */
const CALL_AREAS = ['own', 'look', 'files', 'addresses', 'manage', 'company'] as const
export type CallArea = (typeof CALL_AREAS)[number]
export const AREAS_OF: Record<MemberRole, readonly CallArea[]> = {
  OWNER: CALL_AREAS,
  EDITOR: ['own', 'look', 'files', 'addresses', 'manage'],
  VIEWER: ['own', 'look', 'files'],
  BUYER: ['own', 'look', 'files'],
  TECHNICIAN: ['own', 'look', 'addresses'],
}

/** The maximum total cost of a batch of calls, and of a single call. */
export const MAX_BATCH_COST = 20
export const MAX_CALL_COST = 5
/** Of all queries but the costly ones. */
export const MAX_QUERY_COST = 2

/** The queries that cost the most, as `src/server/api/router.test.ts` holds them to. */
export const COSTLY_QUERIES: ReadonlySet<string> = new Set([
  'columnPolicy.stockTexts',
  'differences.compare',
  'differences.items',
  'connections.rows',
  'profiles.preview',
  'retailers.changes',
  'retailers.rows',
  'retailers.usage',
  'system.examine',
])

export const CONNECTION_TYPES = ['URL', 'FTP', 'EMAIL', 'DATABASE'] as const
export type ConnectionType = (typeof CONNECTION_TYPES)[number]
/** The types that can be chosen today; the others are shown as Coming Soon. */
export const USABLE_CONNECTION_TYPES: readonly ConnectionType[] = ['URL']

export const FILE_FORMATS = ['CSV', 'EXCEL', 'XML'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]
export const USABLE_FILE_FORMATS: readonly FileFormat[] = ['CSV']

/** Sync frequencies offered in forms, in minutes; 0 means real-time. */
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
  'delayed',
  'failed',
  'held',
  'paused',
] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

/** Whether data are as new as their frequency asks: docs/rules.md#how-old-data-are */
export const FRESHNESS = ['on-time', 'late', 'overdue', 'held', 'paused'] as const
export type Freshness = (typeof FRESHNESS)[number]

export const SYNC_OUTCOMES = [
  'published',
  'unchanged',
  'held',
  'failed',
  'postponed',
  'cancelled',
] as const
/** Runs of all suppliers that are listed at a time. */
export const MAX_FINISHED_RUNS = 100
export type SyncOutcome = (typeof SYNC_OUTCOMES)[number]

/** What became of a file that somebody has sent. */
export const RECEIVED_FILE_STATES = [
  'waiting',
  'reading',
  'published',
  'unchanged',
  'held',
  'refused',
  'skipped',
] as const
export type ReceivedFileState = (typeof RECEIVED_FILE_STATES)[number]

/** Public keys of an SFTP login. */
export const MAX_LOGIN_KEYS = 10

/** The ways by which files are received besides users and upload links. */
export const RECEIVED_WAYS = ['sftp', 'mail'] as const
export type ReceivedWay = (typeof RECEIVED_WAYS)[number]

/** What became of a mail that has come. */
export const MAIL_STATES = ['waiting', 'taken', 'refused', 'discarded'] as const
export type MailState = (typeof MAIL_STATES)[number]

/** The mails of a connection that are listed, and kept. */
export const KEPT_MAILS = 50
/** Mails of a connection that wait for a decision at the same time. */
export const MAX_WAITING_MAILS = 10
export const MAX_MAIL_BYTES = 50 * 1024 * 1024
export const MAIL_DAYS = 30
export const MAX_ALLOWED_SENDERS = 50

export const CRON_JOB_STATUSES = ['idle', 'running', 'succeeded', 'failed'] as const
export type CronJobStatus = (typeof CRON_JOB_STATUSES)[number]
export const CRON_JOB_OUTCOMES = ['succeeded', 'failed', 'cancelled'] as const
export type CronJobOutcome = (typeof CRON_JOB_OUTCOMES)[number]

/** Why a backup was made: by the job, or before the database was migrated to a newer version. */
export const BACKUP_KINDS = ['daily', 'upgrade'] as const
export type BackupKind = (typeof BACKUP_KINDS)[number]

/** The name of the cron job that makes backups, run by Trigger Backup. */
export const BACKUP_JOB = 'backup'

/** The name of the cron job that restores backups into a scratch folder and compares them. */
export const DRILL_JOB = 'backup-drill'
/**
 * How far a restore into the running installation is. `staging`: the backup is checked and unpacked while the product goes
 * on. `stopping`: everything stops, and the data are replaced.
 */
export const RESTORE_STEPS = ['asked', 'staging', 'stopping', 'failed', 'restored'] as const
export type RestoreStep = (typeof RESTORE_STEPS)[number]
/** Stands for the backup that was sent from the browser, where others are named. */
export const SENT_BACKUP = 'sent'
/** Tells, while a backup replaces the data, which step is done, and since when. */
export const RESTORE_PROGRESS_PATH = '/api/restore-progress'
/** What came of the drill of a backup. */
export const DRILL_OUTCOMES = ['passed', 'failed'] as const
export type DrillOutcome = (typeof DRILL_OUTCOMES)[number]

export type DownloadStatus = 'ready' | 'processing' | 'failed'

export const DEFAULT_MAX_RETAILERS = 10
export const DEFAULT_RETAILER_SYNC_FREQUENCY = SYNC_FREQUENCIES.DAILY

/** The longest interval between two syncs: one year, in minutes. */
export const MAX_SYNC_FREQUENCY = 525_600
/** A year: how seldom files may be expected that are only sent. */
export const MAX_EXPECTED_HOURS = 8_760

/** Retailers added or changed by one call. */
export const MAX_RETAILERS_AT_ONCE = 200
/** Groups of one supplier. */
export const MAX_GROUPS = 50
/** What the members of a group have from it, each unless it is the retailer's own. */
export const GROUP_SETTINGS = [
  'visibilitySettings',
  'syncFrequency',
  'profile',
  'priceRules',
] as const
export type GroupSetting = (typeof GROUP_SETTINGS)[number]
/** Of the card of a supplier. */
export const MAX_CARD_CATEGORIES = 12
export const MAX_LOGO_BYTES = 24 * 1024
/** Its width and height, in pixels. */
export const MAX_LOGO_SIZE = 512
/** Cards on a page of the directory. */
export const CARDS_PER_PAGE = 12
/** Requests of a retailer company that wait for an answer. */
export const MAX_OPEN_REQUESTS = 10
/** How long a retailer waits to ask again. */
export const REQUEST_PAUSE_DAYS = 30
const ACCESS_REQUEST_STATUSES = ['pending', 'accepted', 'declined'] as const
export type AccessRequestStatus = (typeof ACCESS_REQUEST_STATUSES)[number]
/** What a supplier is to a retailer that looks at its card; `supplier`: it gets its files. */
export const ACCESS_STATES = ['none', 'pending', 'declined', 'supplier'] as const
/** Suppliers and retailers of one call of `PUT /api/suppliers`. */
export const MAX_SEEDED_ACCOUNTS = 200

export const PASSWORD_MIN_LENGTH = 6
export const PASSWORD_MAX_LENGTH = 256
/** The highest minimum that an installation can set. */
export const MAX_PASSWORD_MIN_LENGTH = 64
/** How long people can do without a second factor that is required of them, in days. */
export const MAX_GRACE_DAYS = 60
export const DEFAULT_GRACE_DAYS = 14
export const USERNAME_MAX_LENGTH = 100
export const NAME_MAX_LENGTH = 200
export const EMAIL_MAX_LENGTH = 254
export const PHONE_MAX_LENGTH = 40
export const URL_MAX_LENGTH = 2_048

/** Bounds of a category cell: characters, categories, and levels of each. Beyond, it has none. */
export const CATEGORY_CELL_MAX_LENGTH = 1_000
export const CATEGORY_MAX_ENTRIES = 50
export const CATEGORY_MAX_LEVELS = 20
/** Cells that show how categories are split. */
export const CATEGORY_EXAMPLES = 4
/** A chosen category: the longest path of a cell, with each separator written as ` > `. */
export const CATEGORY_PATH_MAX_LENGTH = CATEGORY_CELL_MAX_LENGTH + 2 * (CATEGORY_MAX_LEVELS - 1)

/** Longer column names are cut to this length wherever they are shown or compared. */
export const COLUMN_NAME_MAX_LENGTH = 200

/** Of runs, what Operations shows at first. */
export const SHOWN_RUN_HOURS = 24

/** Rows shown by the inventory previews. */
export const INVENTORY_PREVIEW_ROWS = 10
/** Rows shown by the CSV preview dialog and stored with every version. */
export const HEAD_ROWS = 100
/** Rows of a file on a page when all of them are browsed. */
export const BROWSED_ROWS = 50
/** Columns shown by previews and stored with every version. */
export const HEAD_COLUMNS = 200

/** Precedes the reason when a preview cannot parse a file. */
export const PARSE_FAILED = 'Failed to parse CSV data'

/** The BroadcastChannel on which the sign-in window reports its outcome. */
export const GOOGLE_POPUP_CHANNEL = 'stockbridge-google'

export const TOAST_DURATION_MS = 5_000
export const TOAST_SWIPE_THRESHOLD_PX = 50

/** The columns that lists can be sorted by. */
export const RETAILER_SORT_COLUMNS = ['storeName', 'storeUrl', 'createdAt'] as const
export const SUPPLIER_SORT_COLUMNS = [
  'companyName',
  'username',
  'contactEmail',
  'maxRetailers',
  'createdAt',
  'isActive',
] as const
/** Longer search texts are cut. */
export const SEARCH_MAX_LENGTH = 200
/** How many rows a page of a list may have. */
export const PAGE_SIZES = [25, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]
export const DEFAULT_PAGE_SIZE: PageSize = 50

/** How long the deletion of a company can be called off. */
export const ACCOUNT_GRACE_DAYS = 14

/** How long an administrator can see the product as another user before it ends by itself. */
export const VIEW_AS_MINUTES = 30

/** How long a replaced feed address still works, so that a shop can be changed over without a gap. */
export const FEED_ADDRESS_OVERLAP_HOURS = 24
/** How long a replaced upload link still works. */
export const UPLOAD_LINK_OVERLAP_HOURS = 24
/** How many of the files that were sent to a connection are remembered. */
export const KEPT_RECEIVED_FILES = 10

/** Of a list of suppliers or retailers. */
export const MAX_EXPORTED_ROWS = 10_000

/**
 * How retailers read: in the last day, an older file than the one that is published, no longer, not yet, or with a
 * destination to which nothing is sent any more.
 */
export const READING_STATES = ['day', 'behind', 'silent', 'never', 'paused'] as const
export type ReadingState = (typeof READING_STATES)[number]

/** A retailer is silent that has not read its file for so many days, and for so many of its updates. */
export const SILENT_AFTER = { days: 3, updates: 3 } as const

/** What may have changed of an item. `other`: a cell of a column that is neither its quantity nor its price. */
export const CHANGE_KINDS = ['added', 'removed', 'quantity', 'price', 'other'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** What of a connection's history can be shown alone. */
export const TIMELINE_KINDS = ['files', 'failures', 'people'] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** Of a retailer. */
export const MAX_DESTINATIONS = 5

/** Where on the page of a shop its destinations are. */
export const SEND_MY_FILE = 'send-my-file'
