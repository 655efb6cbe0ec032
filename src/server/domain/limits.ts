import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations'
import { formatCountOf } from '../../shared/format'
import { DomainError } from './errors'

export type Limit = {
  /** The number of attempts allowed within the window. */
  max: number
  windowMs: number
  /**
   * The pause after the last allowed attempt, or after the `excess`-th one beyond it, in
   * milliseconds. Without it, the next attempt is allowed once the oldest has left the window.
   */
  pauseMs?: (excess: number) => number
}

/** All rate limits and their default values. */
export const defaultLimits = {
  /** Failed logins of one account from one address: 1 s pause after the fifth, then doubled. */
  loginFromAddress: {
    max: 5,
    windowMs: HOUR_MS,
    pauseMs: (excess) => Math.min(SECOND_MS * 2 ** excess, MINUTE_MS),
  },
  /** Failed logins of one account from any address; its known addresses are not throttled. */
  loginToAccount: { max: 20, windowMs: HOUR_MS, pauseMs: () => 15 * MINUTE_MS },
  /** Failed logins from one address; only failures, because whole offices share an address. */
  loginAtAddress: { max: 60, windowMs: MINUTE_MS },
  /**
   * Failed logins that the audit log records one by one: to one account, from one address, and in all.
   * More are counted, in an entry for each account.
   */
  recordedFailuresToAccount: { max: 10, windowMs: HOUR_MS },
  recordedFailuresAtAddress: { max: 20, windowMs: HOUR_MS },
  recordedFailures: { max: 300, windowMs: HOUR_MS },
  /** Successful sign-ins and password changes, by user. */
  signIn: { max: 30, windowMs: MINUTE_MS },
  /** Successful sign-ins and password changes, by address. */
  signInAtAddress: { max: 300, windowMs: MINUTE_MS },
  /** Registrations of suppliers, by address. */
  registerSupplier: { max: 10, windowMs: HOUR_MS },
  /** Sign-in windows opened for Google, by address. */
  googleSignIn: { max: 30, windowMs: 10 * MINUTE_MS },
  /** Registrations of retailers, by the supplier who registers them. */
  registerRetailer: { max: 120, windowMs: HOUR_MS },
  /** Checks of a list of retailers to be added, by supplier: each tells which usernames are taken. */
  checkRetailers: { max: 30, windowMs: HOUR_MS },
  /** Lists of retailers added, by supplier: each hashes up to 200 passwords. */
  addRetailers: { max: 10, windowMs: HOUR_MS },
  /** Lists of suppliers written, by user: each hashes up to 200 passwords. */
  seedSuppliers: { max: 60, windowMs: HOUR_MS },
  /** Links of invitations made, by user: new invitations, and those that are sent or shown again. */
  invite: { max: 60, windowMs: HOUR_MS },
  /** Invitations by mail, by mailbox, and by domain except mail providers'. */
  inviteMailbox: { max: 5, windowMs: HOUR_MS },
  inviteAtDomain: { max: 300, windowMs: HOUR_MS },
  /** Links of invitations and for new passwords that do not work, by client address; beyond, none is looked at. */
  openLink: { max: 30, windowMs: HOUR_MS },
  /** The same in all: beyond, wrong ones are refused, and right ones still work. */
  openLinks: { max: 1_000, windowMs: HOUR_MS },
  /** Requests of retailers for the files of a supplier, by company. */
  requestAccess: { max: 20, windowMs: HOUR_MS },
  /** Acceptances, by invitation: each may tell that a username is taken. */
  acceptInvitation: { max: 30, windowMs: HOUR_MS },
  /** Links for a new password asked for, by client address. */
  recoverFromClient: { max: 20, windowMs: HOUR_MS },
  /**
   * The same by person or, without one, by what was typed, and in all: beyond, nothing is sent, but from an address of
   * the person's earlier sign-ins, and the answer is the same.
   */
  recoverAccount: { max: 5, windowMs: HOUR_MS },
  recoverAny: { max: 1_000, windowMs: HOUR_MS },
  /** Wrong current passwords, by user. */
  changePassword: { max: 5, windowMs: HOUR_MS },
  /** Wrong passwords by which a signed-in user confirms who is there, by user. */
  confirm: { max: 5, windowMs: HOUR_MS },
  /** Wrong codes of second factors, of one account from one address: a minute's pause after the fifth, then doubled. */
  codeFromAddress: {
    max: 5,
    windowMs: HOUR_MS,
    pauseMs: (excess) => Math.min(MINUTE_MS * 2 ** excess, 15 * MINUTE_MS),
  },
  /** The same of one account from any address; its known addresses are not throttled. */
  codeToAccount: { max: 20, windowMs: HOUR_MS, pauseMs: () => 15 * MINUTE_MS },
  /** The same from one address, and in all, where known addresses are not throttled either. */
  codeAtAddress: { max: 60, windowMs: HOUR_MS },
  codes: { max: 1_000, windowMs: HOUR_MS },
  /** Changes of the second factor that are asked for, with right or wrong passwords, by user. */
  secondFactor: { max: 10, windowMs: HOUR_MS },
  /** Passkeys that are sent to be added, by user: each is told to its person. */
  addPasskey: { max: 30, windowMs: HOUR_MS },
  /** What a user is told of the own account, by kind: in the app, and by mail; more is only recorded. */
  accountNotice: { max: 20, windowMs: HOUR_MS },
  accountNoticeMail: { max: 1, windowMs: 10 * MINUTE_MS },
  /** Deletions of an account that are asked for or called off, with right or wrong passwords, by user. */
  deleteAccount: { max: 10, windowMs: HOUR_MS },
  /** Downloads of what is stored about somebody, by user. */
  downloadData: { max: 10, windowMs: HOUR_MS },
  /** Changes of what is asked of all who sign in, by administrator: each may tell everybody. */
  changeSignInRules: { max: 10, windowMs: HOUR_MS },
  /** Password resets of other users, by the user who resets. */
  resetPassword: { max: 30, windowMs: MINUTE_MS },
  /** Previews of a source, by user: each change of how it is read is one. */
  previewSource: { max: 30, windowMs: MINUTE_MS },
  /** Syncs started by hand, by user. */
  syncNow: { max: 6, windowMs: MINUTE_MS },
  /** API keys made, by user: each is told to its person. */
  createApiKey: { max: 30, windowMs: HOUR_MS },
  /** Feed addresses created, by user: each one works for at least a day. */
  createFeedAddress: { max: 120, windowMs: HOUR_MS },
  /** Upload links created, by user: each one works for at least a day. */
  createUploadLink: { max: 120, windowMs: HOUR_MS },
  /** Addresses for mails created or replaced, by user. */
  createMailInbox: { max: 30, windowMs: HOUR_MS },
  /** Mails to one address: each is read, and those that are refused are remembered too. */
  receiveMail: { max: 60, windowMs: HOUR_MS },
  /** Reports on one mail with a file: whoever has the mail knows where they are sent. */
  receiveReport: { max: 10, windowMs: HOUR_MS },
  /** Files sent to a connection, by whomever: each is read, and recorded for a year. */
  receiveFile: { max: 60, windowMs: HOUR_MS },
  /** Files sent by one upload link, which leave room for those of the supplier itself. */
  uploadByLink: { max: 30, windowMs: HOUR_MS },
  /** Files sent by upload links from one client address. */
  uploadFromClient: { max: 120, windowMs: HOUR_MS },
  /** Files sent by one SFTP login, which leave room for those of the supplier itself. */
  uploadBySftp: { max: 30, windowMs: HOUR_MS },
  /** Reads of its file by one SFTP login. */
  fetchBySftp: { max: 120, windowMs: HOUR_MS },
  /** Links sent to confirm an e-mail address, by user and by mailbox, however its address is spelled. */
  confirmAddress: { max: 5, windowMs: HOUR_MS },
  /** The same by client address, and by domain except mail providers': many people share either. */
  confirmFromClient: { max: 20, windowMs: HOUR_MS },
  confirmAtDomain: { max: 300, windowMs: HOUR_MS },
  /** Ends of the alerts by e-mail through the link of a mail, by the user who gets the mails. */
  unsubscribe: { max: 20, windowMs: HOUR_MS },
  /** Changed settings of a connection or a webhook, protections of a feed address, or SFTP logins, by user: each change is recorded for a year. */
  changeAccess: { max: 300, windowMs: HOUR_MS },
  /** Destinations added, by user: each is recorded for a year, and told to the people of the retailer. */
  createDestination: { max: 60, windowMs: HOUR_MS },
  /** Trials of destinations, and files that are sent by hand, by retailer. */
  tryDestination: { max: 30, windowMs: 10 * MINUTE_MS },
  /** Mails with files to the people of one retailer, each supplier apart. */
  mailFile: { max: 60, windowMs: HOUR_MS },
  /** Webhooks added, by user: each is recorded for a year. */
  createWebhook: { max: 60, windowMs: HOUR_MS },
  /** Requests of webhooks that are sent by hand, by user. */
  sendByHand: { max: 30, windowMs: MINUTE_MS },
  /** Tests of the mail server, of addresses and of stores that an administrator sends, by user. */
  sendSystemTest: { max: 30, windowMs: HOUR_MS },
  /** Wrong set-up tokens, by client address and in all; the right one still works. */
  setUpFromAddress: { max: 10, windowMs: 15 * MINUTE_MS },
  setUp: { max: 300, windowMs: HOUR_MS },
  /** Tests of backups that are asked for, by user. */
  testBackup: { max: 30, windowMs: HOUR_MS },
  /** Restores that are asked for, by user. */
  restoreBackup: { max: 10, windowMs: HOUR_MS },
  /** Reads of one feed address. This limit and the next ones are counted per process. */
  readsOfFeed: { max: 120, windowMs: MINUTE_MS },
  /** Reads of one link to a file that was sent by mail. */
  readsOfFileLink: { max: 120, windowMs: MINUTE_MS },
  /** Wrong API keys, by address and in all; right ones still work. */
  wrongKeysFromAddress: { max: 60, windowMs: MINUTE_MS },
  wrongKeys: { max: 3_000, windowMs: MINUTE_MS },
  /** Wrong passwords of feed addresses, by feed address, by client address, and in all; right ones still work. */
  wrongPasswordsOfFeed: { max: 60, windowMs: MINUTE_MS },
  wrongFeedPasswordsFromAddress: { max: 60, windowMs: MINUTE_MS },
  wrongFeedPasswords: { max: 3_000, windowMs: MINUTE_MS },
  /** Wrong secrets of mails, by client address, and in all; right ones still work. */
  wrongMailSecretsFromAddress: { max: 60, windowMs: MINUTE_MS },
  wrongMailSecrets: { max: 3_000, windowMs: MINUTE_MS },
  /** Total cost of calls, by user or by API key. */
  callsByUser: { max: 1_200, windowMs: MINUTE_MS },
  /** Total cost of calls, by address, including pages and their files. */
  callsFromAddress: { max: 12_000, windowMs: MINUTE_MS },
} satisfies Record<string, Limit>

/** Concurrent sessions of one user; above that, the oldest are ended. */
export const MAX_SESSIONS_PER_USER = 50

export type Limits = Record<keyof typeof defaultLimits, Limit>
/** The limits that each process counts in memory. */
export type CallLimit =
  | 'callsByUser'
  | 'callsFromAddress'
  | 'readsOfFeed'
  | 'readsOfFileLink'
  | 'wrongKeysFromAddress'
  | 'wrongKeys'
  | 'wrongPasswordsOfFeed'
  | 'wrongFeedPasswordsFromAddress'
  | 'wrongFeedPasswords'
  | 'wrongMailSecretsFromAddress'
  | 'wrongMailSecrets'
/** The limits that are counted in the database. */
export type LimitName = Exclude<keyof Limits, CallLimit>

/** The refusal of a throttled attempt. @param what a plural noun for the message */
export function throttled(waitMs: number, what = 'attempts'): DomainError {
  const seconds = Math.ceil(waitMs / SECOND_MS)
  const wait =
    seconds < 120
      ? formatCountOf(seconds, 'second')
      : formatCountOf(Math.ceil(seconds / 60), 'minute')
  return new DomainError('THROTTLED', `Too many ${what}. Try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  })
}
