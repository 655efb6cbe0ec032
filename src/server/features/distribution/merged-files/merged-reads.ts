import { isDeepStrictEqual } from 'node:util'

import { DAY_MS, MINUTE_MS } from '../../../../shared/durations'
import { inLossyTransaction } from '../../../db/open'
import type { Reading } from '../../../db/queries-kit/remember'
import type { MergedFileRow, MergedOutputRow, MergedVersionRow } from '../../../db/schema'
import { isViewed, type Actor } from '../../../domain/actor'
import { readClientFamily } from '../../../domain/client-family'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { FileInPreparation } from '../../../domain/file-in-preparation'
import { type AskedForm, ownFormOf } from '../../../domain/variant-spec'
import type { ReadableFile } from '../../catalogue/versions/connection-files'
import type { FeedRequest, OpenedRead } from '../downloads/feed-file'
import { listRelationTopics } from '../downloads/latest-file'
import { recordMergedFileRead } from './audit-merged-file'
import { queueMergedFiles } from './make-merged-files'
import { findMergedFileOfAddress, recordMergedRead } from './merged-addresses.queries'
import { requireMergedFile } from './merged-file'
import { checkMergedFile } from './merged-files.queries'
import { toMergedForm } from './merged-selection'
import {
  findMergedOutput,
  findNewestMergedVersion,
  listMergedOutputs,
  listMergedVersions,
  requestMergedOutput,
  updateMergedOutput,
} from './merged-versions.queries'
import { findPartTimes } from './part-times'
import { isStillSeen, listRelations, type SeenRelation } from './relations'

type Found = Pick<MergedFileRow, 'id' | 'userId' | 'profile'>
type ReadyOutput = MergedOutputRow & { sha256: string; sizeBytes: number; rowCount: number }

const PROTECTION = { passwordHash: null, networks: [], validUntil: null }
const TITLE = 'Merged inventory'
const VERSION_CHARACTERS = 22
const REMEMBERED_MS = MINUTE_MS

/**
 * Opens the merged file that is read at an address. It is not answered with rows that its retailer may no longer see:
 * it is made anew then.
 * @throws DomainError NOT_FOUND for an unknown address, and as long as there is no file; UNAVAILABLE while it is made
 */
export async function openMergedRead(
  deps: Deps,
  tokenHash: string,
  { asked, since }: FeedRequest,
): Promise<Reading<OpenedRead>> {
  const now = deps.clock.now()
  const file = await findMergedFileOfAddress(deps.db, tokenHash, now)
  if (!file) throw notFound('Feed')
  const found = await findWhole(deps, file, { asked, isRead: true })
  const { whole, version, relations, form, isNewest } = found
  const output =
    since === null || !isNewest
      ? whole
      : await findDelta(deps, { file, version, whole, since }, relations)
  const dataAsOf = await findOldestData(deps, version, relations)
  const { sha256, sizeBytes, rowCount } = output
  return {
    value: {
      addressId: -file.addressId,
      protection: PROTECTION,
      title: TITLE,
      dataAsOf,
      sha256,
      sizeBytes,
      rowCount,
      isDelta: sha256 !== whole.sha256,
      form,
      version: nameOf(deps, file, whole),
      modifiedAt: version.createdAt,
      onRead: ({ userAgent }) =>
        inLossyTransaction(deps.db, (trx) =>
          recordMergedRead(
            trx,
            { addressId: file.addressId, mergedFileId: file.id },
            { lastUsedAt: deps.clock.now(), lastClient: readClientFamily(userAgent) },
          ),
        ),
    },
    topics: [
      `user ${file.userId}`,
      `merged ${file.id}`,
      ...relations.flatMap(({ retailer }) => listRelationTopics(retailer)),
    ],
    until: Math.min(file.addressEndsAt ?? Infinity, now + REMEMBERED_MS),
  }
}

/**
 * Opens the merged file for its retailer, who downloads it.
 * @throws DomainError NOT_FOUND as long as there is none; FileInPreparation while it is made
 */
export async function openMergedDownload(
  deps: Deps,
  actor: Actor,
  asked: AskedForm,
): Promise<ReadableFile> {
  const file = await requireMergedFile(deps.db, actor)
  const isRead = !isViewed(actor)
  const { whole, version, relations, form } = await findWhole(deps, file, { asked, isRead })
  const { sha256, sizeBytes } = whole
  const dataAsOf = await findOldestData(deps, version, relations)
  const onRead = recordMergedFileRead(deps, actor, 'Merged file')
  return { title: TITLE, dataAsOf, sha256, sizeBytes, form, onRead }
}

/** Finds the newest version, of which its retailer may still see all. @throws DomainError as `openMergedRead` */
export async function findSeenVersion(deps: Deps, file: Pick<Found, 'id' | 'userId'>) {
  const version = await findNewestMergedVersion(deps.db, file.id)
  if (!version) throw new DomainError('NOT_FOUND', 'No file is available yet')
  const relations = await listRelations(deps.db, file.userId)
  if (!isStillSeen(version.mergedFrom, relations)) throw await makeAnew(deps, file)
  return { version, relations }
}

/** Finds the newest file in a form, or has it made; until it is, that of an older version is read. */
async function findWhole(
  deps: Deps,
  file: Found,
  { asked, isRead }: { asked: AskedForm; isRead: boolean },
) {
  const { version, relations } = await findSeenVersion(deps, file)
  const own = await findOutput(deps, { file, version, form: 'own', sinceVersionId: 0 })
  const { profile } = own
  const isOwn = asked === ownFormOf(profile)
  const form = toMergedForm(profile, isOwn ? 'own' : asked)
  if (isOwn) return { whole: own, version, relations, form, isNewest: true }
  const place = { file, version, form: asked, sinceVersionId: 0 }
  try {
    const whole = await findOutput(deps, place)
    if (isRead) await keepAsking(deps, whole)
    return { whole, version, relations, form, isNewest: true }
  } catch (error) {
    const older = await findOlder(deps, { ...place, profile }, relations)
    if (!older || !(error instanceof DomainError)) throw error
    return { ...older, relations, form, isNewest: false }
  }
}

/** Finds the newest version that is in a form already, and of which its retailer may still see all. */
async function findOlder(
  deps: Deps,
  { file, form, profile }: Asked & Pick<MergedFileRow, 'profile'>,
  relations: readonly SeenRelation[],
) {
  const outputs = (await listMergedOutputs(deps.db, file.id)).filter(
    (output) => output.form === form && output.sinceVersionId === 0 && output.status === 'ready',
  )
  for (const version of await listMergedVersions(deps.db, file.id)) {
    if (!isStillSeen(version.mergedFrom, relations)) continue
    const whole = outputs.find(({ mergedVersionId }) => mergedVersionId === version.id)
    if (whole && isDeepStrictEqual(whole.profile, profile)) {
      return { whole: whole as ReadyOutput, version }
    }
  }
  return undefined
}

/** Records that a form is still asked for, so that the next version is made in it too. */
async function keepAsking(deps: Deps, { id, createdAt }: MergedOutputRow): Promise<void> {
  const now = deps.clock.now()
  if (createdAt > now - DAY_MS && createdAt <= now) return
  await inLossyTransaction(deps.db, (trx) => updateMergedOutput(trx, id, { createdAt: now }))
}

/** Names what a shop gets; otherwise without a meaning to readers. */
function nameOf(
  { secrets }: Deps,
  { id }: { id: number },
  { sha256 }: Pick<ReadyOutput, 'sha256'>,
): string {
  const { hmac } = secrets.sign(`merged ${id} ${sha256}`, 'feed contents')
  return Buffer.from(hmac, 'hex').toString('base64url').slice(0, VERSION_CHARACTERS)
}

async function makeAnew(deps: Deps, { id }: Pick<Found, 'id'>): Promise<DomainError> {
  await inLossyTransaction(deps.db, (trx) => checkMergedFile(trx, id, deps.clock.now()))
  await queueMergedFiles(deps)
  return beingPrepared()
}

const beingPrepared = () =>
  new FileInPreparation('UNAVAILABLE', 'Your file is being prepared. Try again in a moment.', {
    retryAfterSeconds: 2,
  })

type Asked = {
  file: Found
  version: MergedVersionRow
  form: MergedOutputRow['form']
  sinceVersionId: number
}

/** Finds a form of a version, or has it made. @throws DomainError UNAVAILABLE */
export async function findOutput(
  deps: Deps,
  { file, version, ...place }: Asked,
): Promise<ReadyOutput> {
  const at = { mergedVersionId: version.id, ...place }
  const found = await findMergedOutput(deps.db, at)
  if (found?.status === 'ready' && found.sha256 !== null) return found as ReadyOutput
  if (found?.status === 'failed') {
    throw new DomainError('UNAVAILABLE', found.failure ?? 'Your file could not be prepared.', {
      retryAfterSeconds: 60,
    })
  }
  const now = deps.clock.now()
  await inLossyTransaction(deps.db, async (trx) => {
    const { profile, id: mergedFileId } = file
    await requestMergedOutput(trx, { ...at, mergedFileId, profile, createdAt: now })
    await checkMergedFile(trx, file.id, now)
  })
  await queueMergedFiles(deps)
  throw beingPrepared()
}

type AskedDelta = { file: Found; version: MergedVersionRow; whole: ReadyOutput; since: string }

/** What differs from the file that a reader has; the whole file if that is unknown or has rows that it may not see. */
async function findDelta(
  deps: Deps,
  { file, version, whole, since }: AskedDelta,
  relations: readonly SeenRelation[],
): Promise<ReadyOutput> {
  if (ownFormOf(whole.profile) === 'xlsx' || !['own', 'csv'].includes(whole.form)) return whole
  const outputs = await listMergedOutputs(deps.db, file.id)
  const older = outputs.find(
    ({ sha256, form, sinceVersionId }) =>
      sha256 !== null &&
      form === whole.form &&
      sinceVersionId === 0 &&
      nameOf(deps, file, { sha256 }) === since,
  )
  const before = (await listMergedVersions(deps.db, file.id)).find(
    ({ id }) => id === older?.mergedVersionId,
  )
  if (!before || !isStillSeen(before.mergedFrom, relations)) return whole
  const sinceVersionId = before.id
  return findOutput(deps, { file, version, form: whole.form, sinceVersionId })
}

/** When the oldest of its parts was last known to be what its supplier has. */
export async function findOldestData(
  deps: Pick<Deps, 'db'>,
  { mergedFrom, createdAt }: MergedVersionRow,
  relations: readonly SeenRelation[],
): Promise<number> {
  const byId = new Map(relations.map((relation) => [relation.retailer.id, relation]))
  const parts = mergedFrom.parts.map(({ retailerId, versionId, dataAt }) => {
    const connection = byId.get(retailerId)?.connection ?? null
    return { versionId, dataAt, connection }
  })
  const times = await findPartTimes(deps.db, parts)
  return Math.min(createdAt, ...times.map((time) => time ?? createdAt))
}
