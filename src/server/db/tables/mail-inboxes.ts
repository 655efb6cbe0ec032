import type { Generated } from 'kysely'

import type { MailState } from '../../../shared/constants'

/** The address to which files of a connection are sent by mail. It ends by being deleted. */
export type MailInboxesTable = {
  id: Generated<number>
  connectionId: number
  /** SHA-256 of the token in its address, in hexadecimal. */
  tokenHash: string
  /** The token, encrypted, so that the address can be shown again. */
  sealedToken: string
  /** Addresses in lower case, or `*@domain`. */
  allowedSenders: Generated<string[]>
  createdAt: number
  lastMailAt: number | null
  /** When people were last told that a mail waits. */
  toldAt: number | null
}

/** A mail that came to a connection’s address. */
export type MailsTable = {
  id: Generated<number>
  connectionId: number
  /** By which it is known when it comes again. */
  digest: string
  /** The address that it says it is from; null: none, or several. */
  sender: string | null
  subject: string | null
  /** Of the file that was found in it; null: it has none that can be read. */
  fileName: string | null
  sizeBytes: number | null
  /** SHA-256 of the file while it waits. */
  sha256: string | null
  state: MailState
  /** Why it waits, or was refused or discarded. */
  reason: string | null
  /** Files that were in it besides, and are not read. */
  otherFiles: Generated<number>
  /** What was made of it. */
  receivedFileId: number | null
  receivedAt: number
  /** Who has taken or discarded it by hand. */
  decidedBy: number | null
  endedAt: number | null
  /** When people were told that it is about to be dropped. */
  toldAt: number | null
}

/** Which process reads a mailbox. */
export type MailboxLeasesTable = {
  /** SHA-256 of where it is, in hexadecimal. */
  mailbox: string
  leaseToken: string
  leaseUntil: number
}
