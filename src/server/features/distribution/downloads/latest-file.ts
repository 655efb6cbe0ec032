import { SECOND_MS } from '../../../../shared/durations'
import type { NewerFile } from '../../../../shared/schemas/file'
import type { Owned } from '../../../db/queries-kit/owned'
import { toViewKey, type VariantSpec } from '../../../db/stored-json'
import { isViewed, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { type AskedForm, toVariantSpec, WHOLE_FILE } from '../../../domain/variant-spec'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { judgeAge } from '../../catalogue/connections/freshness'
import type { FileForm } from '../../catalogue/versions/connection-files'
import { findDataTime } from '../../catalogue/versions/data-time'
import { findVersion, type VersionRecord } from '../../catalogue/versions/versions.queries'
import type { RetailerRecord } from '../retailers/retailers.queries'
import { choiceEndsAt, chooseVersionId, findNewerFile, findNextUpdate } from './chosen-version'
import { findDownload } from './downloads.queries'
import { toFileForm } from './file-form'
import { recordCurrentFile } from './record-current-file'
import { findOrRequestContent, findReadyContent, type RetailerContent } from './retailer-content'

export type RetailerFile = RetailerContent & {
  /** null for the whole version. */
  view: VariantSpec | null
  form: FileForm
  version: VersionRecord
  downloadedAt: number
  /** Since when the retailer's file has had this content. */
  modifiedAt: number
  dataAsOf: number
  newerFile: NewerFile | null
  /** When it may next be another one; null where that depends on more than time. */
  nextUpdateAt: string | null
  freshness: ReturnType<typeof judgeAge>
  /** The topics (`db/change-topics.ts`) of what it was read from. */
  topics: string[]
  /** When it may be another one without any change, in Unix milliseconds. */
  until: number
}

/** How long a failed file is not asked for again by those who keep the one before. */
const RETRY_MS = SECOND_MS

/** What of an actor decides whether it reads or only looks. */
type Viewer = Pick<Actor, 'role' | 'viewAs'>

/** Whether the retailer itself reads its file, and nobody who only looks. */
export const isRead = (actor: Viewer) => actor.role === 'RETAILER' && !isViewed(actor)

/**
 * Finds the file that a retailer reads now. Only the retailer's own request moves it to a newer
 * version and records that; suppliers and administrators see what the retailer would get.
 */
export async function findAndRecordLatestFile(
  deps: Deps,
  actor: Viewer,
  retailer: Owned<RetailerRecord>,
  asked: AskedForm = 'own',
): Promise<RetailerFile | undefined> {
  const found = await findOrRequestLatestFile(deps, retailer, asked)
  if (!found) return undefined
  const { connection, version, next, view, shown, isKept, own } = found
  const isRecording = isRead(actor) && !isKept
  const download = isRecording
    ? await recordCurrentFile(deps, retailer, version, own)
    : await findDownload(deps.db, retailer.id, version.id)
  const downloadedAt = download?.downloadedAt ?? version.publishedAt ?? version.createdAt
  const isRecorded = own && 'sha256' in own && download?.contentSha256 === own.sha256
  const modifiedAt = (isRecorded && download?.contentSince) || downloadedAt
  const dataAsOf = await findDataTime(deps.db, connection, version)
  const newerFile = await findNewerFile(deps, { ...found, retailer })
  const now = deps.clock.now()
  const freshness = judgeAge(connection, now)
  const isCurrent = retailer.currentVersionId === version.id
  const movedAt = isRecording ? now : null
  const currentSince = isCurrent ? retailer.currentSince : movedAt
  const nextUpdateAt = findNextUpdate({ retailer, connection }, newerFile, currentSince)
  const dates = { downloadedAt, modifiedAt, dataAsOf, freshness, newerFile, nextUpdateAt }
  return {
    ...shown,
    ...dates,
    view,
    form: toFileForm(view),
    version,
    topics: listTopics(retailer, [version, next]),
    until: isKept ? now + RETRY_MS : choiceEndsAt(retailer, connection),
  }
}

/** The topics of what decides which bytes of these versions a retailer reads. */
export function listTopics(retailer: RetailerRecord, versions: VersionRecord[]): string[] {
  return [
    `user ${retailer.userId}`,
    ...listRelationTopics(retailer),
    ...new Set(versions.map((version) => `version ${version.id}`)),
  ]
}

/** The topics of what a supplier lets a retailer see, by its own settings and those of its group. */
export function listRelationTopics({ id, supplierId, groupId }: RetailerRecord): string[] {
  const topics = [`user ${supplierId}`, `files ${supplierId}`, `file ${id}`]
  return groupId === null ? topics : [...topics, `group ${groupId}`]
}

/** Finds that file without moving the retailer to it; requests it if it is missing. */
async function findOrRequestLatestFile(deps: Deps, retailer: RetailerRecord, asked: AskedForm) {
  const connection = await findSupplierConnection(deps.db, retailer.supplierId)
  const versionId = connection && chooseVersionId(retailer, connection, deps.clock.now())
  const next = versionId && (await findVersion(deps.db, versionId))
  if (!next) return undefined
  const { columnPolicy } = connection
  const view = toVariantSpec({ ...retailer, columnPolicy }, asked)
  const content = await findOrRequestContent(deps, view, next, retailer.id)
  const isReady = content.status === 'ready'
  const kept = isReady ? undefined : await findKeptFile(deps, retailer, view, next.id)
  const { version, ...shown } = kept ?? { version: next, ...content }
  const ownView = toVariantSpec({ ...retailer, columnPolicy })
  const found = asked === 'own' ? (kept ?? content) : await findReadyContent(deps, ownView, version)
  const own = found ? { ...found, viewKey: toViewKey(ownView ?? WHOLE_FILE) } : null
  return { connection, next, content, view, version, shown, isKept: kept !== undefined, own }
}

/** Finds the retailer's current file, which it keeps until that of the next version is ready. */
async function findKeptFile(
  deps: Deps,
  retailer: RetailerRecord,
  view: VariantSpec | null,
  nextId: number,
) {
  const { currentVersionId } = retailer
  if (currentVersionId === null || currentVersionId === nextId) return undefined
  const version = await findVersion(deps.db, currentVersionId)
  const content = version && (await findReadyContent(deps, view, version))
  return content && { version, ...content }
}
