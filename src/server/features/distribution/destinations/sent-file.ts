import type { Db } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { MergedFileRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { findUser } from '../../people/accounts/users.queries'
import { requireMergedFile } from '../merged-files/merged-file'
import { findMergedFileById } from '../merged-files/merged-files.queries'
import { loadRetailer } from '../retailers/retailers'
import { findRetailer, type RetailerRecord } from '../retailers/retailers.queries'
import type { SentFileIds } from './sent-file.queries'

/** In place of a retailer’s id: the merged file of whoever asks. */
export const MERGED = 'merged'
export type AskedFile = number | typeof MERGED

/** An input in which a retailer or the merged file is named. */
export type Of<Input> = Omit<Input, 'id'> & { id: AskedFile }

/** A file that is sent to destinations: that of a retailer from its supplier, or the merged file of a company. */
export type SentFile = SentFileIds & {
  /** The company that gets it. */
  userId: number
  username: string
  storeName: string | null
  /** null for a merged file, of which no supplier learns. */
  supplierId: number | null
  supplierName: string | null
  timeZone: string
  retailer: Owned<RetailerRecord> | null
  merged: Owned<MergedFileRow> | null
}

/**
 * Finds the file of a retailer that the actor may see, or the actor’s own merged file.
 * @throws DomainError NOT_FOUND
 */
export async function loadSentFile(db: Db, actor: Actor, id: AskedFile): Promise<SentFile> {
  if (id !== MERGED) return ofRetailer(await loadRetailer(db, actor, id))
  return ofMerged(await requireMergedFile(db, actor), actor)
}

/** Finds the file of a destination, or of what was sent to one. */
export async function findSentFile(
  db: Db,
  { retailerId, mergedFileId }: SentFileIds,
): Promise<SentFile | undefined> {
  if (retailerId !== null) {
    const retailer = await findRetailer(db, retailerId, {})
    return retailer && ofRetailer(retailer)
  }
  const merged = mergedFileId === null ? undefined : await findMergedFileById(db, mergedFileId)
  const user = merged && (await findUser(db, merged.userId))
  return user && ofMerged(merged, user)
}

function ofRetailer(retailer: Owned<RetailerRecord>): SentFile {
  const { id, userId, username, storeName, supplierId, supplierName, timeZone } = retailer
  const names = { username, storeName, supplierName }
  const ids = { retailerId: id, mergedFileId: null, userId, supplierId }
  return { ...ids, ...names, timeZone, retailer, merged: null }
}

function ofMerged(merged: Owned<MergedFileRow>, { username }: { username: string }): SentFile {
  const { id, userId, timeZone } = merged
  const ids = { retailerId: null, mergedFileId: id, userId, supplierId: null }
  return { ...ids, username, storeName: null, supplierName: null, timeZone, retailer: null, merged }
}

/** What limits count by. */
export const subjectOf = ({ retailerId, mergedFileId }: SentFileIds): number | string =>
  retailerId ?? `merged ${mergedFileId}`

/** How people of its company are told which file it is. */
export const shopNameOf = ({ merged, storeName, username }: SentFile): string =>
  merged ? 'your merged file' : (storeName ?? username)
