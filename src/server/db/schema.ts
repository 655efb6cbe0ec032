import type { Generated, Insertable, Selectable, Updateable } from 'kysely'

import type {
  ConnectionType,
  CronJobOutcome,
  DownloadStatus,
  FileFormat,
  Role,
  SyncOutcome,
} from '../../shared/constants'
import type {
  CategoryCount,
  CategoryReading,
  Dialect,
  FeedProblem,
} from '../../shared/schemas/file'
import type { SessionData, StoredConfig, StoredIdentity } from './stored-json'

/**
 * The tables, as queries see them. Times (`…At`, `…Until`, `…Since`) are Unix milliseconds. Booleans are
 * stored as 0 or 1, and JSON as text; `codec.ts` converts them and lists their columns.
 */
export type Database = {
  users: UsersTable
  sessions: SessionsTable
  googleSignIns: GoogleSignInsTable
  connections: ConnectionsTable
  retailers: RetailersTable
  versions: VersionsTable
  variants: VariantsTable
  downloads: DownloadsTable
  pulls: PullsTable
  syncRuns: SyncRunsTable
  cronJobs: CronJobsTable
  cronJobRuns: CronJobRunsTable
  attempts: AttemptsTable
  knownAddresses: KnownAddressesTable
  hostRequests: HostRequestsTable
}

type UsersTable = {
  id: Generated<number>
  username: string
  /** The username with case and Unicode form normalized; must be unique. */
  usernameKey: string
  /** null for a user who signs in through an identity provider only. */
  passwordHash: string | null
  role: Role
  isActive: Generated<boolean>
  settings: Generated<Record<string, unknown>>
  companyName: string | null
  maxRetailers: number | null
  contactEmail: string | null
  /** Chosen by a supplier to be shown to its retailers, unlike `contactEmail`. */
  publicEmail: string | null
  publicPhone: string | null
  publicWebsite: string | null
  /** The identity provider and its subject, which together identify a person. */
  googleIssuer: string | null
  googleUid: string | null
  displayName: string | null
  photoUrl: string | null
  /** Who registered a retailer login, so that only that supplier can link it. */
  registeredByUserId: number | null
  /** A session stores the epoch it was created in; increasing it here ends all earlier sessions. */
  sessionEpoch: Generated<number>
  createdAt: number
}

type SessionsTable = {
  /** SHA-256 of the session id, so that reading this table gives access to no session. */
  idHash: string
  userId: number | null
  data: SessionData
  createdAt: number
  touchedAt: number
  expiresAt: number
}

/** A pending sign-in through the identity provider, at most one per session. */
type GoogleSignInsTable = {
  sessionIdHash: string
  /** Id of the attempt, chosen by the page that opened the provider's window. */
  attempt: string
  state: string
  nonce: string
  codeVerifier: string
  /** Set when the provider's response has arrived: the state cannot be used again. */
  answeredAt: number | null
  /** The identity that the provider has confirmed, until the session's page has signed in. */
  identity: StoredIdentity | null
  expiresAt: number
}

type ConnectionsTable = {
  id: Generated<number>
  supplierId: number
  name: string
  type: ConnectionType
  config: StoredConfig
  fileFormat: FileFormat
  syncFrequencyMinutes: number
  isActive: Generated<boolean>
  /** The category column and its separators, fixed at the first sync or by the supplier. */
  categoryReading: CategoryReading | null
  publishedVersionId: number | null
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
  lastFullFetchAt: number | null
  createdAt: number
}

type RetailersTable = {
  id: Generated<number>
  userId: number
  supplierId: number
  storeName: string | null
  storeUrl: string | null
  connectionType: Generated<ConnectionType>
  fileFormat: Generated<FileFormat>
  syncFrequencyMinutes: number
  isAllProducts: Generated<boolean>
  categories: Generated<string[]>
  /** The retailer's current version, and since when; null lets its next request move to the newest. */
  currentVersionId: number | null
  currentSince: number | null
  createdAt: number
}

type VersionStatus = 'published' | 'held' | 'discarded'

type VersionsTable = {
  id: Generated<number>
  connectionId: number
  fileName: string
  sha256: string
  sizeBytes: number
  rowCount: number
  status: VersionStatus
  /** Why the guard held it. */
  heldReason: string | null
  isRewritten: boolean
  quantityColumn: string | null
  quantitySum: number | null
  categoryReading: CategoryReading | null
  createdAt: number
  publishedAt: number | null
  columns: string[]
  dialect: Dialect
  problems: FeedProblem[]
  categoryCounts: CategoryCount[]
  headRows: string[][]
  /** null in rows older than this column, whose `columns` has all names, not only those of previews. */
  columnCount: number | null
}

type VariantsTable = {
  id: Generated<number>
  versionId: number
  /** The set of categories it was filtered by, in canonical form. */
  categorySetKey: string
  status: DownloadStatus
  sha256: string | null
  sizeBytes: number | null
  rowCount: number | null
  headRows: string[][] | null
  leaseToken: string | null
  leaseUntil: number | null
  createdAt: number
  /** When it was built or, to the hour, last downloaded; null until it is built. */
  usedAt: number | null
}

type DownloadsTable = {
  id: Generated<number>
  retailerId: number
  connectionId: number
  versionId: number
  fileName: string
  fileSize: number
  downloadedAt: number
  status: Generated<DownloadStatus>
  pullCount: Generated<number>
  lastPulledAt: number | null
}

/** A download by a retailer. */
type PullsTable = {
  id: Generated<number>
  retailerId: number
  pulledAt: number
  fileName: string
  /** When its data were last known to be what the source had. */
  dataAsOf: number
  rowCount: number
  sizeBytes: number
  /** The family of the browser or program, as `client-family.ts` names it. */
  client: string
}

type SyncRunsTable = {
  id: Generated<number>
  connectionId: number
  leaseToken: string
  startedAt: number
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

type CronJobsTable = {
  name: string
  /** A cron expression, in UTC. */
  schedule: string
  isActive: Generated<boolean>
  /** A deleted job stays as a tombstone, so that the next start does not create it again. */
  deletedAt: number | null
  nextRunAt: number | null
  /** When somebody requested a run outside the schedule. */
  requestedAt: number | null
  leaseToken: string | null
  leaseUntil: number | null
  isRunning: Generated<boolean>
}

type CronJobRunsTable = {
  id: Generated<number>
  jobName: string
  isRequested: boolean
  startedAt: number
  finishedAt: number | null
  outcome: CronJobOutcome | null
  /** Until the run has finished, what it is doing. */
  step: string | null
  /** A one-line summary of what it did. */
  summary: string | null
  error: string | null
}

type AttemptsTable = {
  id: Generated<number>
  limitName: string
  /** SHA-256 of what is counted, because people type passwords into the username field. */
  subjectHash: string
  attemptedAt: number
}

type KnownAddressesTable = {
  userId: number
  address: string
  seenAt: number
}

/** Running requests to the hosts of sources, of all processes. */
type HostRequestsTable = {
  id: Generated<number>
  host: string
  startedAt: number
}

export type UserRow = Selectable<UsersTable>
export type NewUserRow = Insertable<UsersTable>
export type UserChanges = Updateable<UsersTable>
export type SessionRow = Selectable<SessionsTable>
export type GoogleSignInRow = Selectable<GoogleSignInsTable>
export type ConnectionRow = Selectable<ConnectionsTable>
export type NewConnectionRow = Insertable<ConnectionsTable>
export type ConnectionChanges = Updateable<ConnectionsTable>
export type RetailerRow = Selectable<RetailersTable>
export type NewRetailerRow = Insertable<RetailersTable>
export type RetailerChanges = Updateable<RetailersTable>
export type VersionRow = Selectable<VersionsTable>
export type NewVersionRow = Insertable<VersionsTable>
export type VariantRow = Selectable<VariantsTable>
export type VariantChanges = Updateable<VariantsTable>
export type DownloadRow = Selectable<DownloadsTable>
export type PullRow = Selectable<PullsTable>
export type NewPullRow = Insertable<PullsTable>
export type SyncRunRow = Selectable<SyncRunsTable>
export type CronJobRow = Selectable<CronJobsTable>
export type CronJobChanges = Updateable<CronJobsTable>
export type CronJobRunRow = Selectable<CronJobRunsTable>
