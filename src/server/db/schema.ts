import type { Insertable, Selectable, Updateable } from 'kysely'

import type {
  AccountMailsTable,
  AttemptsTable,
  GoogleSignInsTable,
  KnownAddressesTable,
  SessionsTable,
  SignInPlacesTable,
  UsersTable,
} from './tables/accounts'
import type {
  AlertChoicesTable,
  OutboxTable,
  EventsTable,
  DigestsTable,
  MailAddressesTable,
  NotificationsTable,
  ProblemsTable,
  WebhooksTable,
} from './tables/alerts'
import type { ApiKeysTable } from './tables/api-keys'
import type { AuditEntriesTable, ViewAsTable } from './tables/audit'
import type { ChangesTable } from './tables/changes'
import type {
  ConnectionsTable,
  HostRequestsTable,
  RunHoursTable,
  SyncRunsTable,
  VersionsTable,
} from './tables/connections'
import type {
  BackupDrillsTable,
  CronJobRunsTable,
  CronJobsTable,
  SchedulerTicksTable,
} from './tables/cron-jobs'
import type { DestinationsTable, DispatchesTable } from './tables/destinations'
import type { AccessRequestsTable, CardDaysTable, SupplierCardsTable } from './tables/directory'
import type { FileLinksTable, FileMailsTable } from './tables/file-mails'
import type { InvitationsTable } from './tables/invitations'
import type { HistoryFilesTable, ItemHistoriesTable } from './tables/item-histories'
import type { MailboxLeasesTable, MailInboxesTable, MailsTable } from './tables/mail-inboxes'
import type {
  MergedAddressesTable,
  MergedFilesTable,
  MergedOutputsTable,
  MergedPartsTable,
  MergedVersionsTable,
} from './tables/merged-files'
import type { PasskeysTable } from './tables/passkeys'
import type { ReceivedFilesTable, UploadLinksTable, UploadsTable } from './tables/received-files'
import type {
  AssignmentsTable,
  FeedAddressesTable,
  PullDaysTable,
  PullsTable,
  RecentDownloadsTable,
  RetailerGroupsTable,
  RetailerPullsTable,
  RetailersTable,
  VariantsTable,
} from './tables/retailers'
import type { RecoveryCodesTable, SecondFactorsTable } from './tables/second-factors'
import type { SftpLoginsTable } from './tables/sftp-logins'
import type { SignInRulesTable } from './tables/sign-in-rules'
import type { CompressedFilesTable } from './tables/stored-files'
import type { DataSizesTable, ProcessesTable, RestoresTable } from './tables/system'

/**
 * The tables, as queries see them. Times (`…At`, `…Until`, `…Since`) are Unix milliseconds. Booleans are
 * stored as 0 or 1, and JSON as text; `codec.ts` converts them and lists their columns.
 */
export type Database = {
  supplierCards: SupplierCardsTable
  cardDays: CardDaysTable
  accessRequests: AccessRequestsTable
  users: UsersTable
  accountMails: AccountMailsTable
  sessions: SessionsTable
  secondFactors: SecondFactorsTable
  recoveryCodes: RecoveryCodesTable
  signInRules: SignInRulesTable
  passkeys: PasskeysTable
  apiKeys: ApiKeysTable
  googleSignIns: GoogleSignInsTable
  invitations: InvitationsTable
  connections: ConnectionsTable
  retailers: RetailersTable
  retailerGroups: RetailerGroupsTable
  versions: VersionsTable
  variants: VariantsTable
  compressedFiles: CompressedFilesTable
  itemHistories: ItemHistoriesTable
  historyFiles: HistoryFilesTable
  downloads: AssignmentsTable
  retailerPulls: RetailerPullsTable
  recentDownloads: RecentDownloadsTable
  pulls: PullsTable
  pullDays: PullDaysTable
  feedAddresses: FeedAddressesTable
  syncRuns: SyncRunsTable
  runHours: RunHoursTable
  receivedFiles: ReceivedFilesTable
  uploads: UploadsTable
  uploadLinks: UploadLinksTable
  sftpLogins: SftpLoginsTable
  destinations: DestinationsTable
  dispatches: DispatchesTable
  mergedFiles: MergedFilesTable
  mergedParts: MergedPartsTable
  mergedVersions: MergedVersionsTable
  mergedOutputs: MergedOutputsTable
  mergedAddresses: MergedAddressesTable
  fileMails: FileMailsTable
  fileLinks: FileLinksTable
  mailInboxes: MailInboxesTable
  mailboxLeases: MailboxLeasesTable
  mails: MailsTable
  cronJobs: CronJobsTable
  cronJobRuns: CronJobRunsTable
  backupDrills: BackupDrillsTable
  restores: RestoresTable
  schedulerTicks: SchedulerTicksTable
  processes: ProcessesTable
  dataSizes: DataSizesTable
  attempts: AttemptsTable
  knownAddresses: KnownAddressesTable
  signInPlaces: SignInPlacesTable
  hostRequests: HostRequestsTable
  auditEntries: AuditEntriesTable
  viewings: ViewAsTable
  events: EventsTable
  problems: ProblemsTable
  notifications: NotificationsTable
  alertChoices: AlertChoicesTable
  mailAddresses: MailAddressesTable
  digests: DigestsTable
  webhooks: WebhooksTable
  deliveries: OutboxTable
  changes: ChangesTable
}

export type UserRow = Selectable<UsersTable>
export type NewUserRow = Insertable<UsersTable>
export type UserChanges = Updateable<UsersTable>
export type SessionRow = Selectable<SessionsTable>
export type NewSessionRow = Insertable<SessionsTable>
export type SecondFactorRow = Selectable<SecondFactorsTable>
export type SignInRulesRow = Selectable<SignInRulesTable>
export type PasskeyRow = Selectable<PasskeysTable>
export type NewPasskeyRow = Insertable<PasskeysTable>
export type ApiKeyRow = Selectable<ApiKeysTable>
export type NewApiKeyRow = Insertable<ApiKeysTable>
export type GoogleSignInRow = Selectable<GoogleSignInsTable>
export type NewGoogleSignInRow = Insertable<GoogleSignInsTable>
export type InvitationRow = Selectable<InvitationsTable>
export type NewInvitationRow = Insertable<InvitationsTable>
export type InvitationChanges = Updateable<InvitationsTable>
export type ConnectionRow = Selectable<ConnectionsTable>
export type NewConnectionRow = Insertable<ConnectionsTable>
export type ConnectionChanges = Updateable<ConnectionsTable>
export type RetailerGroupRow = Selectable<RetailerGroupsTable>
export type NewRetailerGroupRow = Insertable<RetailerGroupsTable>
export type RetailerGroupChanges = Updateable<RetailerGroupsTable>
export type RetailerRow = Selectable<RetailersTable>
export type NewRetailerRow = Insertable<RetailersTable>
export type RetailerChanges = Updateable<RetailersTable>
export type VersionRow = Selectable<VersionsTable>
export type NewVersionRow = Insertable<VersionsTable>
export type VariantRow = Selectable<VariantsTable>
export type VariantChanges = Updateable<VariantsTable>
export type ItemHistoryRow = Selectable<ItemHistoriesTable>
export type ItemHistoryChanges = Updateable<ItemHistoriesTable>
export type HistoryFileRow = Selectable<HistoryFilesTable>
export type NewHistoryFileRow = Insertable<HistoryFilesTable>
export type CompressedFileRow = Selectable<CompressedFilesTable>
export type CompressedFileChanges = Updateable<CompressedFilesTable>
export type AssignmentRow = Selectable<AssignmentsTable>
export type RetailerPullsRow = Selectable<RetailerPullsTable>
export type RecentDownloadsRow = Selectable<RecentDownloadsTable>
export type FeedAddressRow = Selectable<FeedAddressesTable>
export type NewFeedAddressRow = Insertable<FeedAddressesTable>
export type SyncRunRow = Selectable<SyncRunsTable>
export type RunHourRow = Selectable<RunHoursTable>
export type NewReceivedFileRow = Insertable<ReceivedFilesTable>
export type ReceivedFileChanges = Updateable<ReceivedFilesTable>
export type UploadLinkRow = Selectable<UploadLinksTable>
export type NewUploadLinkRow = Insertable<UploadLinksTable>
export type SftpLoginRow = Selectable<SftpLoginsTable>
export type NewSftpLoginRow = Insertable<SftpLoginsTable>
export type DestinationRow = Selectable<DestinationsTable>
export type NewDestinationRow = Insertable<DestinationsTable>
export type DestinationChanges = Updateable<DestinationsTable>
export type DispatchRow = Selectable<DispatchesTable>
export type NewDispatchRow = Insertable<DispatchesTable>
export type DispatchChanges = Updateable<DispatchesTable>
export type MergedFileRow = Selectable<MergedFilesTable>
export type MergedFileChanges = Updateable<MergedFilesTable>
export type MergedPartRow = Selectable<MergedPartsTable>
export type MergedPartChanges = Updateable<MergedPartsTable>
export type MergedVersionRow = Selectable<MergedVersionsTable>
export type NewMergedVersionRow = Insertable<MergedVersionsTable>
export type MergedOutputRow = Selectable<MergedOutputsTable>
export type MergedOutputChanges = Updateable<MergedOutputsTable>
export type MergedAddressRow = Selectable<MergedAddressesTable>
export type FileMailRow = Selectable<FileMailsTable>
export type FileLinkRow = Selectable<FileLinksTable>
export type NewFileLinkRow = Insertable<FileLinksTable>
export type MailInboxRow = Selectable<MailInboxesTable>
export type NewMailInboxRow = Insertable<MailInboxesTable>
export type MailInboxChanges = Updateable<MailInboxesTable>
export type MailRow = Selectable<MailsTable>
export type NewMailRow = Insertable<MailsTable>
export type MailChanges = Updateable<MailsTable>
export type AuditEntryRow = Selectable<AuditEntriesTable>
export type NewAuditEntryRow = Insertable<AuditEntriesTable>
export type ViewAsRow = Selectable<ViewAsTable>
export type CronJobRow = Selectable<CronJobsTable>
export type CronJobChanges = Updateable<CronJobsTable>
export type CronJobRunRow = Selectable<CronJobRunsTable>
export type ProcessRow = Selectable<ProcessesTable>
export type DataSizesRow = Selectable<DataSizesTable>
export type BackupDrillRow = Selectable<BackupDrillsTable>
export type RestoreRow = Selectable<RestoresTable>
export type EventRow = Selectable<EventsTable>
export type ProblemRow = Selectable<ProblemsTable>
export type MailAddressRow = Selectable<MailAddressesTable>
export type WebhookRow = Selectable<WebhooksTable>
export type DigestRow = Selectable<DigestsTable>
export type DigestRowChanges = Updateable<DigestsTable>
export type MessageChanges = Updateable<OutboxTable>
export type AccountMailRow = Selectable<AccountMailsTable>
export type NewAccountMailRow = Insertable<AccountMailsTable>

export type SupplierCardRow = Selectable<SupplierCardsTable>
export type AccessRequestRow = Selectable<AccessRequestsTable>
