import { MINUTE_MS } from '../../../../shared/durations'
import type { NewerFile } from '../../../../shared/schemas/file'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { toInstant } from '../../../domain/instant'
import { findVersion, type VersionRecord } from '../../catalogue/versions/versions.queries'
import type { RetailerRecord } from '../retailers/retailers.queries'
import type { RetailerContent } from './retailer-content'

/**
 * The share of its frequency after which a retailer's file may change:
 * docs/rules.md#how-often-a-retailers-file-changes.
 */
const DUE_SHARE = 0.9

/** Returns the id of the version that a retailer would read at `now`, without moving it there. */
export function chooseVersionId(
  retailer: RetailerRecord,
  connection: ConnectionRow,
  now: number,
): number | null {
  const { currentVersionId, currentSince } = retailer
  if (currentVersionId === null || currentSince === null) return connection.publishedVersionId
  // In the future when the clock was set back: the time waited is then unknown, and taken as enough.
  const isDue = now >= dueAt(retailer, currentSince) || now < currentSince
  return isDue ? connection.publishedVersionId : currentVersionId
}

/** When a retailer would read another version than before by the passing of time alone. */
export function choiceEndsAt(retailer: RetailerRecord, connection: ConnectionRow): number {
  const { currentVersionId, currentSince } = retailer
  if (currentVersionId === null || currentSince === null) return Infinity
  return currentVersionId === connection.publishedVersionId
    ? Infinity
    : dueAt(retailer, currentSince)
}

/** When the retailer's next request may move it to a newer version. */
const dueAt = ({ syncFrequencyMinutes }: RetailerRecord, currentSince: number) =>
  currentSince + syncFrequencyMinutes * MINUTE_MS * DUE_SHARE

type Chosen = {
  retailer: RetailerRecord
  connection: ConnectionRow
  /** The version that the retailer reads. */
  version: VersionRecord
  /** The version that it would read if its file of that version were ready, as `content` says. */
  next: VersionRecord
  content: RetailerContent
}

/** Describes the newest published file if the retailer reads an older one, and why it does. */
export async function findNewerFile(
  deps: Deps,
  { retailer, connection, version, next, content }: Chosen,
): Promise<NewerFile | null> {
  if (content.status !== 'ready' && version.id !== next.id) {
    return { publishedAt: publishedAt(next), reason: content.status, updatesAt: null }
  }
  const { publishedVersionId } = connection
  const newest =
    publishedVersionId === null || publishedVersionId === version.id
      ? undefined
      : await findVersion(deps.db, publishedVersionId)
  if (!newest) return null
  const updatesAt = new Date(dueAt(retailer, retailer.currentSince ?? deps.clock.now()))
  return {
    publishedAt: publishedAt(newest),
    reason: 'frequency',
    updatesAt: updatesAt.toISOString(),
  }
}

/**
 * When the retailer's file may next be another one; null where that depends on more than time.
 * @param currentSince since when it reads this version; null before it has
 */
export function findNextUpdate(
  { retailer, connection }: Pick<Chosen, 'retailer' | 'connection'>,
  newerFile: NewerFile | null,
  currentSince: number | null,
): string | null {
  if (newerFile) return newerFile.updatesAt
  const { nextSyncAt, heldVersionId } = connection
  if (nextSyncAt === null || heldVersionId !== null) return null
  return toInstant(
    currentSince === null ? nextSyncAt : Math.max(nextSyncAt, dueAt(retailer, currentSince)),
  )
}

function publishedAt(version: VersionRecord): string {
  return new Date(version.publishedAt ?? version.createdAt).toISOString()
}
