import { FEED_ADDRESS_OVERLAP_HOURS } from '../../../../shared/constants'
import { HOUR_MS } from '../../../../shared/durations'
import type { NewFeedAddress } from '../../../../shared/schemas/feed-address'
import type { SaveMergedFileInput, ShownMergedFile } from '../../../../shared/schemas/merged-file'
import { withoutUnusedOptions } from '../../../../shared/schemas/shop-format'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { MergedFileRow, MergedPartRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import {
  createSecretToken,
  endOfToken,
  hashSecretToken,
  toSecretLink,
} from '../../../domain/secret-token'
import type { UserRecord } from '../../people/accounts/users.queries'
import { recordAudit } from '../../people/audit/record-audit'
import { queueMergedFiles } from './make-merged-files'
import {
  deleteMergedAddresses,
  insertMergedAddress,
  listMergedAddresses,
} from './merged-addresses.queries'
import {
  deleteMergedFile,
  findMergedFile,
  insertMergedFile,
  updateMergedFile,
} from './merged-files.queries'
import { listMergedParts, replaceMergedParts } from './merged-parts.queries'
import { findNewestMergedVersion } from './merged-versions.queries'
import { findPartTimes } from './part-times'
import { isStillSeen, listRelations, type SeenRelation } from './relations'

const OVERLAP_MS = FEED_ADDRESS_OVERLAP_HOURS * HOUR_MS

/** Returns the merged file of the retailer, and the relations that it can be made of. */
export async function getMergedFile(deps: Deps, actor: Actor): Promise<ShownMergedFile> {
  const relations = await listRelations(deps.db, actor.id)
  const file = await findMergedFile(deps.db, actor.id)
  if (!file) {
    const shown = relations.map((relation) => toShownPart(relation, undefined, undefined))
    return { ...NOTHING, relations: shown }
  }
  const now = deps.clock.now()
  const parts = await listMergedParts(deps.db, file.id)
  const version = await findNewestMergedVersion(deps.db, file.id)
  const isSeen = version !== undefined && isStillSeen(version.mergedFrom, relations)
  const placeOf = ({ retailer }: SeenRelation) => {
    const place = parts.findIndex(({ retailerId }) => retailerId === retailer.id)
    return place < 0 ? Infinity : place
  }
  const connectionOf = ({ retailerId }: MergedPartRow) =>
    relations.find(({ retailer }) => retailer.id === retailerId)?.connection ?? null
  const sorted = relations.toSorted((one, other) => placeOf(one) - placeOf(other) || 0)
  const timed = parts.map((part) => ({ ...part, connection: connectionOf(part) }))
  const times = await findPartTimes(deps.db, timed)
  const addresses = await listMergedAddresses(deps.db, file.id, now)
  const { mergedRules: rules, profile, matchingRows, failure, readCount } = file
  return {
    settings: { rules, profile, matchedItems: matchingRows },
    relations: sorted.map((relation) => {
      const place = placeOf(relation)
      const row = parts[place]
      return toShownPart(relation, row && { ...row, dataAt: times[place] ?? null }, { file, now })
    }),
    file: isSeen
      ? {
          madeAt: toInstant(version.createdAt),
          rowCount: version.rowCount,
          sharedCount: version.sharedCount,
          unmatchedCount: version.unmatchedCount,
          problems: version.problems,
        }
      : null,
    failure,
    readCount,
    addresses: addresses.map(toSecretLink),
  }
}

const NOTHING = { settings: null, file: null, failure: null, readCount: 0, addresses: [] }

function toShownPart(
  { retailer }: SeenRelation,
  row: MergedPartRow | undefined,
  shown: { file: MergedFileRow; now: number } | undefined,
): ShownMergedFile['relations'][number] {
  const { id: retailerId, supplierName } = retailer
  const supplier = supplierName ?? ''
  if (!row || !shown) return { retailerId, supplier, part: null }
  const { prefix, currency, costColumn, rowCount, dataAt, problems, failure } = row
  const { maxAgeHours } = shown.file.mergedRules
  const isStale =
    dataAt !== null && maxAgeHours !== null && dataAt + maxAgeHours * HOUR_MS <= shown.now
  const dataAsOf = dataAt === null ? null : toInstant(dataAt)
  const part = { prefix, currency, costColumn, rowCount, dataAsOf, isStale, problems, failure }
  return { retailerId, supplier, part }
}

const toAudited = (
  file: Pick<MergedFileRow, 'mergedRules' | 'profile'>,
  parts: readonly Pick<MergedPartRow, 'retailerId' | 'prefix' | 'currency' | 'costColumn'>[],
) => ({
  rules: file.mergedRules,
  profile: file.profile,
  parts: parts.map(({ retailerId, prefix, currency, costColumn }) => ({
    retailerId,
    prefix,
    currency,
    costColumn,
  })),
})

/**
 * Saves how the retailer's merged file is made, which is then made at once.
 * @throws DomainError NOT_FOUND for a relation that is not the retailer's; THROTTLED
 */
export async function saveMergedFile(
  deps: Deps,
  actor: Actor,
  { rules: mergedRules, profile: chosen, parts }: SaveMergedFileInput,
): Promise<void> {
  await countAttempts(deps, [{ limit: 'changeAccess', subject: actor.id }])
  const profile = withoutUnusedOptions(chosen)
  await inTransaction(deps.db, async (trx) => {
    const own = new Set((await listRelations(trx, actor.id)).map(({ retailer }) => retailer.id))
    if (parts.some(({ retailerId }) => !own.has(retailerId))) throw notFound('Retailer')
    const now = deps.clock.now()
    const before = await findMergedFile(trx, actor.id)
    const former = before && toAudited(before, await listMergedParts(trx, before.id))
    const changed = { profile, mergedRules, checkAt: now, madeAt: null, failure: null }
    if (before) await updateMergedFile(trx, before, changed)
    const created = { userId: actor.id, profile, mergedRules, checkAt: now, createdAt: now }
    const id = before?.id ?? (await insertMergedFile(trx, created))
    await replaceMergedParts(trx, id, parts)
    await recordAudit(trx, deps, {
      action: 'merged-file.save',
      subject: { id: actor.id, name: actor.username },
      ...(former && { before: former }),
      after: toAudited({ mergedRules, profile }, parts),
    })
  })
  await queueMergedFiles(deps)
}

/** Ends the retailer's merged file with its addresses. */
export function removeMergedFile(deps: Deps, actor: Actor): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const file = await requireMergedFile(trx, actor)
    await deleteMergedFile(trx, file)
    await recordAudit(trx, deps, {
      action: 'merged-file.remove',
      subject: { id: actor.id, name: actor.username },
    })
  })
}

/** @throws DomainError NOT_FOUND before it was saved */
export async function requireMergedFile(
  db: Deps['db'],
  actor: Actor,
): Promise<Owned<MergedFileRow>> {
  const file = await findMergedFile(db, actor.id)
  if (!file) throw notFound('Merged file')
  return file
}

/** Ends all addresses of the merged file of a login, who may not know who has them. */
export async function endMergedAddressesOf(
  trx: WriteTransaction,
  deps: Deps,
  user: UserRecord,
): Promise<void> {
  const file = await findMergedFile(trx, user.id)
  if (!file || (await deleteMergedAddresses(trx, file)) === 0) return
  await recordAudit(trx, deps, {
    action: 'merged-file.revoke-addresses',
    subject: { id: user.id, name: user.username },
  })
}

/**
 * Creates an address from which a shop reads the merged file, which replaces those before within a day, or at once. The
 * returned path is stored nowhere and cannot be read again.
 * @throws DomainError NOT_FOUND before the merged file was saved; THROTTLED
 */
export async function createMergedAddress(
  deps: Deps,
  actor: Actor,
  { endsOthers }: { endsOthers: boolean },
): Promise<NewFeedAddress> {
  await requireMergedFile(deps.db, actor)
  await countAttempts(deps, [{ limit: 'createFeedAddress', subject: actor.id }])
  const token = createSecretToken()
  await inTransaction(deps.db, async (trx) => {
    const { id: mergedFileId } = await requireMergedFile(trx, actor)
    const createdAt = deps.clock.now()
    const stored = { tokenHash: hashSecretToken(token), tokenEnd: endOfToken(token), createdAt }
    const othersEndAt = endsOthers ? null : createdAt + OVERLAP_MS
    await insertMergedAddress(trx, { mergedFileId, ...stored }, othersEndAt)
    await recordAudit(trx, deps, {
      action: 'merged-file.create-address',
      subject: { id: actor.id, name: actor.username },
    })
  })
  return { path: `/feeds/${token}/inventory.csv` }
}
