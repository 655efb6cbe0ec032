import type { Logger } from 'pino'

import type { InvitationTerms } from '../../shared/schemas/invitation'
import type { Examination } from '../../shared/schemas/system'
import type { KeyedSemaphore } from '../concurrency/keyed-semaphore'
import type { Config } from '../config'
import type { Db, WriteTransaction } from '../db/open'
import type { Snapshots } from '../db/snapshots'
import type { PreviewTurns } from '../features/catalogue/connections/preview-turns'
import type { CategoryIndexes } from '../features/catalogue/versions/category-indexes'
import type { CompressedFiles } from '../features/distribution/compressed-files/find-copies'
import type { PullLedger } from '../features/distribution/downloads/pull-ledger'
import type { ChangeWatch } from '../features/operations/live/change-watch'
import type { PasswordHasher } from '../features/people/accounts/passwords'
import type { SignedInReader } from '../features/people/accounts/signed-in'
import type { UserRecord } from '../features/people/accounts/users.queries'
import type { ApiKeyReader } from '../features/people/api-keys/api-key-callers'
import type { AuditRepeats } from '../features/people/audit/audit-repeats'
import type { SyncSlots } from '../features/publication/syncs/sync-slots'
import type { HostGate } from '../files/fetch/host-gate'
import type { JsonPoster } from '../files/fetch/post-json'
import type { FileReaders } from '../files/file-readers'
import type { FileSender } from '../files/send/sending'
import type { IdentityProvider } from '../identity/identity-provider'
import type { Mailer } from '../mail/mailer'
import type { Metrics } from '../observability/metrics'
import type { Queue } from '../queue/queue'
import type { SecretBox } from '../secrets/secret-box'
import type { BackupStore } from '../storage/backup-store'
import type { DeletedAccounts } from '../storage/deleted-accounts'
import type { FileStore } from '../storage/file-store'
import type { SmallFiles } from '../storage/small-files'
import type { Actor } from './actor'
import type { Limits } from './limits'
import type { Notice } from './notice'

type InvitedRetailer = Omit<Extract<InvitationTerms, { kind: 'RETAILER' }>, 'kind'> & {
  userId: number
}

/** The current time in Unix milliseconds; tests control it. */
export type Clock = { now(): number }

/** Everything the rules need from outside; `src/server/wire.ts` builds it. */
export type Deps = {
  config: Config
  clock: Clock
  logger: Logger
  metrics: Metrics
  db: Db
  files: FileStore
  smallFiles: SmallFiles
  signedIn: SignedInReader
  apiKeys: ApiKeyReader
  compressedFiles: CompressedFiles
  /** Copies of the database, for backups. */
  snapshots: Snapshots
  backups: BackupStore
  /**
   * Restores a backup into a scratch folder, compares it with what it says of itself, and removes it.
   * @throws DomainError with the reason why it cannot be restored; the signal's reason
   */
  rehearseRestore(name: string, rehearsal: Rehearsal): Promise<void>
  deletedAccounts: DeletedAccounts
  readers: FileReaders
  queue: Queue
  /** Limits and queues requests per host of a source. */
  hosts: HostGate
  /** The slots for syncs running in this process. */
  slots: SyncSlots
  /** The slots for previews running in this process. */
  previews: PreviewTurns
  /** Lets each user browse the rows of one file at a time. */
  browsing: KeyedSemaphore<number>
  /** Lets each user download one list of changes at a time. */
  changeLists: KeyedSemaphore<number>
  /** Records of downloads that wait to be written. */
  pulls: PullLedger
  changes: ChangeWatch
  categoryIndexes: CategoryIndexes
  passwords: PasswordHasher
  /** Ends the feed addresses, upload links and mail inboxes that belong to a user, who has a new password. */
  endSecretAddressesOf(trx: WriteTransaction, deps: Deps, user: UserRecord): Promise<void>
  /** Ends the API keys of people whose login is somebody else's from now on. */
  endApiKeysOf(trx: WriteTransaction, deps: Deps, people: readonly number[]): Promise<void>
  /** Deletes a person: the row with all that refers to it, or, of a first login, what is not the company's. */
  forgetPerson(trx: WriteTransaction, id: number, how: { staysCompany: boolean }): Promise<void>
  /** Links the login of whoever has accepted an invitation to the supplier who invited it. */
  linkInvitedRetailer(
    trx: WriteTransaction,
    deps: Deps,
    supplier: UserRecord,
    retailer: InvitedRetailer,
  ): Promise<number>
  /** Makes the address that an invitation was sent to the one that its user gets alerts at. */
  confirmInvitedAddress(
    trx: WriteTransaction,
    deps: Deps,
    user: UserRecord,
    address: string,
  ): Promise<void>
  /**
   * Sends the link that makes an address the one at which its user gets alerts.
   * @param client the client's address as rate limits count it
   */
  requestMailAddress(deps: Deps, user: Actor, address: string, client: string): Promise<void>
  /** Ends all addresses at which the merged file of a company is read. */
  endMergedAddressesOf(trx: WriteTransaction, deps: Deps, user: UserRecord): Promise<void>
  /** From now on a person gets no mail. */
  deleteMailAddress(trx: WriteTransaction, userId: number): Promise<void>
  /** Lets a link for a new password be sent to a person who has an address. */
  queuePasswordLink(deps: Deps, userId: number): Promise<void>
  /** Tells a person what happened to the own account. */
  tellPerson(
    trx: WriteTransaction,
    deps: Deps,
    person: Pick<UserRecord, 'id'>,
    notice: Notice,
  ): Promise<void>
  /** Tells several people the same. */
  tellPeople(
    trx: WriteTransaction,
    deps: Deps,
    people: readonly number[],
    notice: Notice,
  ): Promise<void>
  /** Looks at all that the installation depends on. */
  doctor: {
    /** What is found now, or was a few seconds ago. */
    examine(deps: Deps): Promise<Examination>
    /** Writes, reads and deletes something small where files or backups are; tells in words what came of it. */
    tryStore(deps: Deps, store: 'files' | 'backups'): Promise<{ isOk: boolean; answer: string }>
  }
  secrets: SecretBox
  auditRepeats: AuditRepeats
  /** Jobs that run on a schedule; the state of the schedules is in the database. */
  cronTasks: readonly CronTask[]
  /** null when no mail server is configured. */
  mail: Mailer | null
  /** Sends files to the destinations of retailers. */
  sender: FileSender
  /** Sends the requests of webhooks. */
  posts: JsonPoster
  /** null when none is configured. */
  identityProvider: IdentityProvider | null
  /** Rate limits; tests set smaller ones. */
  limits: Limits
}

/** How a restore is tried. */
export type Rehearsal = {
  /** The lease token of the run, by which what a dead one leaves is found. */
  owner: string
  /** Unix milliseconds. */
  now: number
  signal: AbortSignal
  report(step: string): Promise<void>
}

/** The definition of a cron job; `cron-tasks.ts` lists them all. */
export type CronTask = {
  name: string
  /** What it does, in a sentence for the administrator. */
  description: string
  /** A cron expression of five fields, in UTC. */
  schedule: string
  timeoutMs: number
  /**
   * Does the work.
   * @returns a one-line summary for the administrator
   * @throws DomainError with a message for the administrator; any other error is logged as a bug
   */
  run(deps: Deps, run: CronRun): Promise<string>
}

/** A run of a cron job, as its task sees it. */
export type CronRun = {
  /** Owns the scratch files of this run. */
  leaseToken: string
  signal: AbortSignal
  /** Reports the current step, which the administrator sees live. */
  report(step: string): Promise<void>
}
