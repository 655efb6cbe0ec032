import { FEED_ADDRESS_OVERLAP_HOURS } from '../../../../shared/constants'
import { HOUR_MS } from '../../../../shared/durations'
import type { NewFeedAddress } from '../../../../shared/schemas/feed-address'
import type { SaveMergedFileInput, ShownMergedFile } from '../../../../shared/schemas/merged-file'
import { withoutUnusedOptions } from '../../../../shared/schemas/shop-format'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { MergedFileRow, MergedPartRow, MergedVersionRow } from '../../../db/schema'
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
import { judgeAge } from '../../catalogue/connections/freshness'
import type { UserRecord } from '../../people/accounts/users.queries'
import { auditMergedFile } from './audit-merged-file'
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
import { listInactiveSuppliers, listMergedParts, replaceMergedParts } from './merged-parts.queries'
import { listMergedVersions } from './merged-versions.queries'
import { findPartTimes } from './part-times'
import { isStillSeen, listRelations, type SeenRelation } from './relations'

const OVERLAP_MS = FEED_ADDRESS_OVERLAP_HOURS * HOUR_MS

/** Returns the merged file of the retailer, and the relations that it can be made of. */
export async function getMergedFile(deps: Deps, actor: Actor): Promise<ShownMergedFile> {
  const relations = await listRelations(deps.db, actor.id)
  const file = await findMergedFile(deps.db, actor.id)
  if (!file) {
    return { ...NOTHING, relations: relations.map(toUnused) }
  }
  const now = deps.clock.now()
  const parts = await listMergedParts(deps.db, file.id)
  const kept = await listMergedVersions(deps.db, file.id)
  const seen = kept.filter(({ mergedFrom }) => isStillSeen(mergedFrom, relations))
  const [version] = kept
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
  const suppliers = relations.map(({ retailer }) => retailer.supplierId)
  const inactive = await listInactiveSuppliers(deps.db, suppliers)
  const { mergedRules: rules, profile, matchingRows, failure, readCount } = file
  return {
    settings: { rules, profile, matchedItems: matchingRows },
    relations: sorted.map((relation) => {
      const place = placeOf(relation)
      const row = parts[place]
      if (!row) return toUnused(relation)
      const isInactive = inactive.has(relation.retailer.supplierId)
      const dataAt = times[place] ?? null
      return toShownPart(relation, { ...row, dataAt }, { file, now, isInactive })
    }),
    file:
      version && version === seen[0] ? { ...toFacts(version), problems: version.problems } : null,
    failure,
    isBeingMade: isDue(file, now),
    versions: seen.map(toFacts),
    readCount,
    addresses: addresses.map(toSecretLink),
  }
}

const NOTHING = {
  settings: null,
  file: null,
  failure: null,
  isBeingMade: false,
  versions: [],
  readCount: 0,
  addresses: [],
}

const toFacts = ({ createdAt, rowCount, sharedCount, unmatchedCount }: MergedVersionRow) => ({
  madeAt: toInstant(createdAt),
  rowCount,
  sharedCount,
  unmatchedCount,
})

/** Whether a file waits to be looked at, or is. */
const isDue = ({ checkAt, leaseUntil }: MergedFileRow, now: number): boolean =>
  (checkAt !== null && checkAt <= now) || (leaseUntil !== null && leaseUntil > now)

const toUnused = ({ retailer }: SeenRelation) => ({
  retailerId: retailer.id,
  supplier: retailer.supplierName ?? '',
  part: null,
})

function toShownPart(
  relation: SeenRelation,
  row: MergedPartRow,
  { file, now, isInactive }: { file: MergedFileRow; now: number; isInactive: boolean },
): ShownMergedFile['relations'][number] {
  const { prefix, currency, costColumn, rowCount, dataAt, problems, failure } = row
  const { maxAgeHours } = file.mergedRules
  const isStale = dataAt !== null && maxAgeHours !== null && dataAt + maxAgeHours * HOUR_MS <= now
  const part = {
    prefix,
    currency,
    costColumn,
    rowCount,
    dataAsOf: dataAt === null ? null : toInstant(dataAt),
    freshness: relation.connection ? judgeAge(relation.connection, now) : ('on-time' as const),
    isStale,
    isInactive,
    problems,
    failure,
  }
  return { ...toUnused(relation), part }
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
    await auditMergedFile(trx, deps, 'save', actor, {
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
    await auditMergedFile(trx, deps, 'remove', actor)
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

/** Ends all addresses of the retailer's merged file. @throws DomainError NOT_FOUND before it was saved */
export function revokeMergedAddresses(deps: Deps, actor: Actor): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const file = await requireMergedFile(trx, actor)
    await deleteMergedAddresses(trx, file)
    await auditMergedFile(trx, deps, 'revoke-addresses', actor)
  })
}

/** Ends all addresses of the merged file of a login, who may not know who has them. */
export async function endMergedAddressesOf(
  trx: WriteTransaction,
  deps: Deps,
  user: UserRecord,
): Promise<void> {
  const file = await findMergedFile(trx, user.id)
  if (!file || (await deleteMergedAddresses(trx, file)) === 0) return
  await auditMergedFile(trx, deps, 'revoke-addresses', user)
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
    await auditMergedFile(trx, deps, 'create-address', actor)
  })
  return { path: `/feeds/${token}/inventory.csv` }
}
