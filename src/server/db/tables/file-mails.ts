import type { Generated } from 'kysely'

import type { MergedFrom } from '../stored-json'

/**
 * What became of a file on its way to one of several people. `begun`: nobody knows whether the mail arrived; `waiting`:
 * it was not taken yet; `refused`: it is not tried again; `returned`: it was taken, and came back later.
 */
type FileMailStatus = 'begun' | 'waiting' | 'sent' | 'refused' | 'returned'

/** The mail with which a dispatch goes to one person. */
export type FileMailsTable = {
  id: Generated<number>
  dispatchId: number
  userId: number
  status: FileMailStatus
  /** What the mail server said; of what was sent, what was reported later. */
  answer: string | null
}

/** An address in a mail from which one person downloads the file of one dispatch: /files/{token}. */
export type FileLinksTable = {
  id: Generated<number>
  tokenHash: string
  /** One of the two. */
  retailerId: number | null
  mergedFileId: number | null
  destinationId: number
  userId: number
  /** For the history of the retailer; the version may be gone. Of a merged file, which has versions of its own. */
  versionId: number
  /** Of a merged file: what it was made of. */
  mergedFrom: MergedFrom | null
  versionName: string
  fileName: string
  mediaType: string
  /** A stored file, which stays as long as a link names it. */
  sha256: string
  sizeBytes: number
  rowCount: number
  dataAsOf: number
  createdAt: number
  endsAt: number
}
