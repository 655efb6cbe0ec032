import type { Generated } from 'kysely'

import type { ReceivedFileState, ReceivedWay } from '../../../shared/constants'

/** A file that somebody has sent, instead of one that was fetched. */
export type ReceivedFilesTable = {
  id: Generated<number>
  connectionId: number
  /** As its sender calls it. */
  fileName: string
  sizeBytes: number
  /** Its bytes as they came, which are stored until a sync has read them; then null. */
  sha256: string | null
  /** One that is being read still waits: the process that reads it may die. */
  state: Exclude<ReceivedFileState, 'reading'>
  /** Why it is held, refused or skipped. */
  message: string | null
  receivedAt: number
  /** Whether its sender says that it is a full file; null: nothing was said of it. */
  isFull: boolean | null
  /** Who sent it; null for one that came by an upload link. */
  receivedBy: number | null
  /** The last characters of the link's token. */
  linkEnd: string | null
  /** How it came, if neither a user nor an upload link has sent it. */
  way: ReceivedWay | null
  /** By that way: the user name of the SFTP login, or the address of the mail's sender. */
  sender: string | null
  /** The lease of the run that reads it, or has died while it did. */
  leaseToken: string | null
  /** What it was published or held as, or found to be. */
  versionId: number | null
  rowCount: number | null
  endedAt: number | null
}

/** Files that are being sent now, to any process; each has a scratch file. */
export type UploadsTable = {
  id: Generated<number>
  connectionId: number
  startedAt: number
  leaseToken: string
  leaseUntil: number
}

/** A link by which files are sent without signing in: /upload/{token}. */
export type UploadLinksTable = {
  id: Generated<number>
  connectionId: number
  /** SHA-256 of the token, in hexadecimal; the token itself is stored nowhere. */
  tokenHash: string
  /** The last characters of the token, by which people tell links apart. */
  tokenEnd: string
  createdAt: number
  /** Set when a newer link replaces it. */
  expiresAt: number | null
  lastUsedAt: number | null
  /** The family of the last program, as `client-family.ts` names it. */
  lastClient: string | null
}
