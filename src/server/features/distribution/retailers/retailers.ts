import { isDeepStrictEqual } from 'node:util'

import {
  DEFAULT_MAX_RETAILERS,
  DEFAULT_RETAILER_SYNC_FREQUENCY,
  type ReadingState,
} from '../../../../shared/constants'
import type { RetailerPriceRules } from '../../../../shared/schemas/price-rules'
import type {
  CreateRetailerInput,
  DeliveryPreferencesInput,
  ListedRetailer,
  OwnRetailer,
  Retailer,
  StoreDetailsInput,
  UpdateRetailerInput,
  UpdateRetailersInput,
  VisibilitySettings,
} from '../../../../shared/schemas/retailer'
import { withoutUnusedOptions, type ShopFormat } from '../../../../shared/schemas/shop-format'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { PageRequest } from '../../../db/queries-kit/page'
import type { NewRetailerRow, RetailerChanges } from '../../../db/schema'
import { resolveSupplierId, retailerScope, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { aboutSupplier, recordEvent } from '../../alerting/alerts/events'
import { countRelations } from '../../people/accounts/linked-retailers.queries'
import { listPeopleIds } from '../../people/accounts/persons.queries'
import { retailerLimitReached } from '../../people/accounts/registration'
import {
  deleteUser,
  findUnlinkedRetailerUser,
  findUser,
  type UserRecord,
} from '../../people/accounts/users.queries'
import {
  toAuditedRetailer,
  recordRetailerAudit,
  recordRetailerChange,
} from '../../people/audit/audited-records'
import type { AuditDeps } from '../../people/audit/record-audit'
import { countOpenInvitations } from '../../people/invitations/invitations.queries'
import { deleteFileLinks } from '../destinations/file-links.queries'
import { findGroup } from '../groups/groups.queries'
import { checkMergedFilesOf } from '../merged-files/merged-files.queries'
import {
  dropVariantRequests,
  queueWaitingVariants,
  requestRetailerVariant,
} from '../variants/variant-requests'
import { followFiles } from './follow-files'
import { toMember } from './member-settings'
import {
  countRetailers,
  findRetailer,
  insertRetailer,
  deleteRetailerRow,
  eachRetailerRow,
  listRetailers,
  type ListedRetailer as ListedRetailerRecord,
  pageRetailerRows,
  updateRetailerRow,
  type RetailerRecord,
} from './retailers.queries'
import { mustEndLinks } from './visibility'

function toRetailer(row: RetailerRecord): Retailer {
  return { ...toListedRetailer(row), visibilitySettings: readVisibility(row) }
}

function toListedRetailer(row: ListedRetailerRecord): ListedRetailer {
  return {
    id: row.id,
    userId: row.userId,
    username: row.username,
    supplierId: row.supplierId,
    supplierName: row.supplierName,
    storeName: row.storeName,
    storeUrl: row.storeUrl,
    connectionType: row.connectionType,
    fileFormat: row.fileFormat,
    syncFrequency: row.syncFrequencyMinutes,
    createdAt: new Date(row.createdAt).toISOString(),
  }
}

export function readVisibility(row: RetailerRecord): VisibilitySettings {
  return {
    allProducts: row.isAllProducts,
    categories: row.categories,
  }
}

/** @throws DomainError NOT_FOUND when the retailer does not exist or the actor may not see it */
export async function loadRetailer(
  db: Db,
  actor: Actor,
  id: number,
): Promise<Owned<RetailerRecord>> {
  const row = await findRetailer(db, id, retailerScope(actor))
  if (!row) throw notFound('Retailer')
  return row
}

/** Yields all retailers that the actor may see, in pages. */
export async function* eachRetailer(deps: Deps, actor: Actor): AsyncGenerator<Retailer[]> {
  for await (const rows of eachRetailerRow(deps.db, retailerScope(actor)))
    yield rows.map(toRetailer)
}

/**
 * Returns the retailer of a login, with all its relations; of several the named one, or the first. null while the login
 * is not linked to a supplier.
 */
export async function getOwnRetailer(
  deps: Deps,
  login: Actor,
  id?: number,
): Promise<OwnRetailer | null> {
  const rows = await listRetailers(deps.db, { userId: login.id })
  const row = rows.find((one) => one.id === id) ?? rows[0]
  const relations = rows.map(({ id: relationId, supplierName, storeName }) => ({
    id: relationId,
    supplierName,
    storeName,
  }))
  return row ? { ...toRetailer(row), relations } : null
}

export async function getRetailer(deps: Deps, actor: Actor, id: number): Promise<Retailer> {
  return toRetailer(await loadRetailer(deps.db, actor, id))
}

/** Returns one page of the retailers that the actor may see. */
export async function pageRetailers(
  deps: Deps,
  actor: Actor,
  view: PageRequest & { reading?: ReadingState | undefined },
) {
  const scope = retailerScope(actor)
  const { rows, ...place } = await pageRetailerRows(deps.db, scope, view, deps.clock.now())
  const totalCount = await countRetailers(deps.db, scope)
  return { ...place, totalCount, rows: rows.map(toListedRetailer) }
}

/**
 * Links a retailer's login to a supplier. The supplier's limit is exact under concurrency.
 * @throws DomainError NOT_FOUND for an unknown supplier or group, or a login that the actor may not link;
 *   CONFLICT when the login is already linked; LIMIT_REACHED
 */
export async function createRetailer(
  deps: Deps,
  actor: Actor,
  input: CreateRetailerInput,
): Promise<Retailer> {
  const supplierId = resolveSupplierId(actor, input.supplierId)
  return inTransaction(deps.db, async (trx) => {
    const supplier = await findUser(trx, supplierId)
    if (supplier?.role !== 'SUPPLIER') throw notFound('Supplier')
    await assertLinkable(trx, actor, input.userId)
    const { groupId, ...settings } = input
    const group = groupId == null ? undefined : await loadGroupOf(trx, supplierId, groupId)
    const member = group && { member: toMember(group) }
    const id = await linkRetailer(trx, deps, supplier, { ...settings, ...member })
    return toRetailer(await loadRetailer(trx, actor, id))
  })
}

type NewRetailer = Omit<CreateRetailerInput, 'supplierId' | 'groupId'> & {
  syncFrequency?: number | undefined
  profile?: ShopFormat | undefined
  /** What it has as a member of a group. */
  member?: Partial<NewRetailerRow>
}

async function loadGroupOf(trx: WriteTransaction, supplierId: number, groupId: number) {
  const group = await findGroup(trx, groupId, { supplierId })
  if (!group) throw notFound('Group')
  return group
}

/** @throws DomainError LIMIT_REACHED when the supplier may have no more retailers */
export async function linkRetailer(
  trx: WriteTransaction,
  deps: AuditDeps,
  supplier: UserRecord,
  input: NewRetailer,
): Promise<number> {
  const limit = supplier.maxRetailers ?? DEFAULT_MAX_RETAILERS
  const linked = await countRetailers(trx, { supplierId: supplier.id })
  const invited = await countOpenInvitations(trx, supplier.id, deps.clock.now())
  if (linked + invited >= limit) throw retailerLimitReached(limit)
  return link(trx, deps, supplier, input)
}

/**
 * Links a retailer whose place among those that its supplier may have was kept by an invitation. One that was invited into
 * a group that is gone sees nothing, until the supplier says what it sees.
 */
export async function linkInvitedRetailer(
  trx: WriteTransaction,
  deps: AuditDeps,
  supplier: UserRecord,
  { groupId, ...input }: NewRetailer & { groupId?: number | undefined },
): Promise<number> {
  if (groupId === undefined) return link(trx, deps, supplier, input)
  const group = await findGroup(trx, groupId, { supplierId: supplier.id })
  const member = group ? toMember(group) : { isAllProducts: false, categories: [] }
  return link(trx, deps, supplier, { ...input, member })
}

async function link(
  trx: WriteTransaction,
  deps: AuditDeps,
  supplier: UserRecord,
  input: NewRetailer,
): Promise<number> {
  const id = await insertRetailer(trx, {
    userId: input.userId,
    supplierId: supplier.id,
    storeName: input.storeName,
    storeUrl: input.storeUrl || null,
    syncFrequencyMinutes: input.syncFrequency ?? DEFAULT_RETAILER_SYNC_FREQUENCY,
    ...toVisibilityChanges(input.visibilitySettings),
    ...(input.profile && { profile: input.profile }),
    ...input.member,
    createdAt: deps.clock.now(),
  })
  const retailer = await findRetailer(trx, id, {})
  if (!retailer) throw notFound('Retailer')
  const { profile: _default, ...settings } = toAuditedRetailer(retailer)
  const after = { username: retailer.username, ...settings }
  await recordRetailerAudit(trx, deps, retailer, { verb: 'create', after })
  await tellOfLeaving(trx, deps, supplier.id, input.userId)
  return id
}

/** Who becomes a retailer of a supplier that is to be deleted is told what its other retailers were told. */
async function tellOfLeaving(
  trx: WriteTransaction,
  { clock }: AuditDeps,
  supplierId: number,
  onlyUserId: number,
): Promise<void> {
  const until = (await findUser(trx, supplierId))?.deletionAt
  if (until == null) return
  await recordEvent(trx, aboutSupplier({ id: supplierId }), {
    kind: 'company.leaving',
    now: clock.now(),
    details: { until, onlyUserId, isForRetailersOnly: true },
  })
}

/** Suppliers may link the logins they registered, administrators any; each login only once. */
async function assertLinkable(trx: WriteTransaction, actor: Actor, userId: number) {
  const user = await findUser(trx, userId)
  const isOwn = actor.role === 'SUPER_ADMIN' || user?.registeredByUserId === actor.id
  if (user?.role !== 'RETAILER' || !isOwn) throw notFound('User')
  if (!(await findUnlinkedRetailerUser(trx, userId))) {
    throw new DomainError('CONFLICT', 'This user is already linked to a retailer', {
      field: 'userId',
    })
  }
}

export function updateRetailer(deps: Deps, actor: Actor, input: UpdateRetailerInput) {
  return changeRetailer(deps, actor, input.id, (retailer) => toSettingChanges(retailer, input))
}

/**
 * Changes the same settings of several retailers, or of none.
 * @throws DomainError NOT_FOUND when the actor may not see one of them
 */
export async function updateRetailers(deps: Deps, actor: Actor, input: UpdateRetailersInput) {
  await inTransaction(deps.db, async (trx) => {
    for (const id of new Set(input.ids)) {
      const retailer = await loadRetailer(trx, actor, id)
      await applyChanges(trx, deps, retailer, toSettingChanges(retailer, input))
    }
  })
  await queueWaitingVariants(deps)
}

function toSettingChanges(
  retailer: RetailerRecord,
  input: Omit<UpdateRetailerInput, 'id'>,
): RetailerChanges {
  const { visibilitySettings, syncFrequency, connectionType, fileFormat } = input
  const settings = {
    ...(visibilitySettings &&
      asOwn(retailer, 'hasOwnVisibility', toVisibilityChanges(visibilitySettings))),
    ...(syncFrequency !== undefined &&
      asOwn(retailer, 'hasOwnFrequency', { syncFrequencyMinutes: syncFrequency })),
  }
  return {
    ...settings,
    ...(connectionType && { connectionType }),
    ...(fileFormat && { fileFormat }),
    // Changed settings apply at the next request:
    // docs/rules.md#how-often-a-retailers-file-changes.
    ...(isOther(retailer, settings) && { currentSince: null }),
  }
}

/** A setting that a retailer gets of its own, unless it is what it has from its group. */
function asOwn(
  retailer: RetailerRecord,
  flag: 'hasOwnVisibility' | 'hasOwnFrequency' | 'hasOwnFormat' | 'hasOwnPrices',
  setting: RetailerChanges,
): RetailerChanges {
  if (retailer[flag]) return setting
  return isOther(retailer, setting) ? { ...setting, [flag]: true } : {}
}

const isOther = (retailer: RetailerRecord, changes: RetailerChanges): boolean =>
  Object.entries(changes).some(
    ([name, value]) => !isDeepStrictEqual(retailer[name as keyof RetailerRecord], value),
  )

/** Changes the store's name and address; for the supplier and for the retailer itself. */
export function updateStoreDetails(deps: Deps, actor: Actor, input: StoreDetailsInput) {
  return changeRetailer(deps, actor, input.id, () => ({
    storeName: input.storeName,
    ...(input.storeUrl !== undefined && { storeUrl: input.storeUrl || null }),
  }))
}

export function updateDeliveryPreferences(
  deps: Deps,
  actor: Actor,
  { id, connectionType, fileFormat }: DeliveryPreferencesInput,
) {
  return changeRetailer(deps, actor, id, () => ({ connectionType, fileFormat }))
}

/** Changes the form in which the retailer gets its file; for the supplier and the retailer itself. */
export function changeShopFormat(deps: Deps, actor: Actor, id: number, wanted: ShopFormat) {
  const profile = withoutUnusedOptions(wanted)
  return changeRetailer(deps, actor, id, (retailer) =>
    isDeepStrictEqual(retailer.profile, profile)
      ? {}
      : { ...asOwn(retailer, 'hasOwnFormat', { profile }), currentSince: null },
  )
}

/** Changes how the prices are made that the retailer sees; for its supplier only. */
export function changePriceRules(
  deps: Deps,
  actor: Actor,
  id: number,
  priceRules: RetailerPriceRules | null,
) {
  return changeRetailer(deps, actor, id, (retailer) =>
    isDeepStrictEqual(retailer.priceRules, priceRules)
      ? {}
      : { ...asOwn(retailer, 'hasOwnPrices', { priceRules }), currentSince: null },
  )
}

/**
 * Deletes the retailer. With its only supplier the login, its sessions and downloads go too, by cascade; one that has
 * others goes on for these.
 */
export function deleteRetailer(deps: Deps, actor: Actor, id: number): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const retailer = await loadRetailer(trx, actor, id)
    const before = toAuditedRetailer(retailer)
    await recordRetailerAudit(trx, deps, retailer, { verb: 'delete', before })
    if ((await countRelations(trx, retailer.userId)) > 1) await endRelation(trx, deps, retailer)
    else await deleteUser(trx, retailer.userId)
    await dropVariantRequests(trx, retailer, deps.clock.now())
  })
}

async function endRelation(
  trx: WriteTransaction,
  deps: Deps,
  { id, userId, supplierName }: Owned<RetailerRecord>,
): Promise<void> {
  await checkMergedFilesOf(trx, { retailerId: id }, deps.clock.now())
  await deleteRetailerRow(trx, id)
  await deps.tellPeople(trx, deps, await listPeopleIds(trx, userId), {
    kind: 'account.supplier-ended',
    details: { supplierName: supplierName || 'A supplier' },
  })
}

async function changeRetailer(
  deps: Deps,
  actor: Actor,
  id: number,
  toChanges: (retailer: RetailerRecord) => RetailerChanges,
): Promise<Retailer> {
  const changed = await inTransaction(deps.db, async (trx) => {
    const retailer = await loadRetailer(trx, actor, id)
    await applyChanges(trx, deps, retailer, toChanges(retailer))
    return toRetailer(await loadRetailer(trx, actor, id))
  })
  await queueWaitingVariants(deps)
  return changed
}

/**
 * Changes settings of a retailer, with all that follows from that.
 * @param named what belongs to the changes besides columns of its row
 */
export async function applyChanges(
  trx: WriteTransaction,
  deps: Deps,
  retailer: Owned<RetailerRecord>,
  changes: RetailerChanges,
  named: Partial<Pick<RetailerRecord, 'groupName'>> = {},
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await updateRetailerRow(trx, retailer, changes)
  await recordRetailerChange(trx, deps, retailer, { ...retailer, ...changes, ...named })
  const now = deps.clock.now()
  await dropVariantRequests(trx, retailer, now)
  await requestRetailerVariant(trx, { ...retailer, ...changes }, now)
  await followFiles(trx, { retailerId: retailer.id }, now)
  // They lead to what it saw before.
  if (mustEndLinks(retailer, changes)) await deleteFileLinks(trx, { retailerId: retailer.id })
}

function toVisibilityChanges({ allProducts, categories }: VisibilitySettings) {
  return { isAllProducts: allProducts, categories }
}
