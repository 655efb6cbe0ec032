import { isDeepStrictEqual } from 'node:util'

import type { AuditVerb } from '../../../../shared/audit-actions'
import { MAX_GROUPS } from '../../../../shared/constants'
import { formatCount } from '../../../../shared/format'
import type {
  CreateGroupInput,
  ListedGroup,
  RetailerGroup,
  UpdateGroupInput,
} from '../../../../shared/schemas/group'
import { shopFormatSchema, withoutUnusedOptions } from '../../../../shared/schemas/shop-format'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { RetailerGroupChanges, RetailerGroupRow } from '../../../db/schema'
import { resolveSupplierId, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { findUser } from '../../people/accounts/users.queries'
import type { AuditedState } from '../../people/audit/audited-changes'
import { recordAudit } from '../../people/audit/record-audit'
import { checkPriceRules } from '../retailers/price-rules'
import { queueWaitingVariants } from '../variants/variant-requests'
import { applyToMembers } from './apply-to-members'
import {
  clearNewcomers,
  countGroups,
  countMembers,
  deleteGroupRow,
  findGroup,
  findGroupByName,
  insertGroup,
  listGroupRows,
  updateGroupRow,
} from './groups.queries'

/** @throws DomainError NOT_FOUND when there is no such group that the actor may see */
export async function loadGroup(
  db: Db,
  actor: Actor,
  id: number,
): Promise<Owned<RetailerGroupRow>> {
  const scope = actor.role === 'SUPER_ADMIN' ? {} : { supplierId: actor.id }
  const group = await findGroup(db, id, scope)
  if (!group) throw notFound('Group')
  return group
}

/** @throws DomainError NOT_FOUND when an administrator names no supplier that there is */
async function findSupplierId(db: Db, actor: Actor, named: number | null | undefined) {
  const supplierId = resolveSupplierId(actor, named)
  if ((await findUser(db, supplierId))?.role !== 'SUPPLIER') throw notFound('Supplier')
  return supplierId
}

/** Returns the groups of a supplier, by name. */
export async function listGroups(deps: Deps, actor: Actor, named?: number): Promise<ListedGroup[]> {
  const rows = await listGroupRows(deps.db, await findSupplierId(deps.db, actor, named))
  return rows.map(({ isAllProducts, profile, syncFrequencyMinutes, createdAt, ...row }) => ({
    ...row,
    allProducts: isAllProducts,
    formatKind: profile.kind,
    syncFrequency: syncFrequencyMinutes,
    createdAt: new Date(createdAt).toISOString(),
  }))
}

export async function getGroup(deps: Deps, actor: Actor, id: number): Promise<RetailerGroup> {
  return toGroup(deps.db, await loadGroup(deps.db, actor, id))
}

async function toGroup(db: Db, row: RetailerGroupRow): Promise<RetailerGroup> {
  return {
    id: row.id,
    supplierId: row.supplierId,
    name: row.name,
    isForNewcomers: row.isForNewcomers,
    visibilitySettings: { allProducts: row.isAllProducts, categories: row.categories },
    syncFrequency: row.syncFrequencyMinutes,
    profile: row.profile,
    priceRules: row.priceRules,
    memberCount: await countMembers(db, row.id),
    createdAt: new Date(row.createdAt).toISOString(),
  }
}

/**
 * @throws DomainError CONFLICT when the supplier has a group of this name; LIMIT_REACHED; INVALID for price rules while its
 *   file has no costs
 */
export async function createGroup(
  deps: Deps,
  actor: Actor,
  input: CreateGroupInput,
): Promise<RetailerGroup> {
  const ofSupplier = await findSupplierId(deps.db, actor, input.supplierId)
  await checkPriceRules(deps, ofSupplier, input.priceRules)
  return inTransaction(deps.db, async (trx) => {
    const supplierId = await findSupplierId(trx, actor, input.supplierId)
    if ((await countGroups(trx, supplierId)) >= MAX_GROUPS) {
      throw new DomainError('LIMIT_REACHED', `At most ${MAX_GROUPS} groups can be made`)
    }
    await assertNameFree(trx, supplierId, input.name)
    const id = await insertGroup(trx, {
      supplierId,
      name: input.name,
      isForNewcomers: input.isForNewcomers,
      syncFrequencyMinutes: input.syncFrequency,
      isAllProducts: input.visibilitySettings.allProducts,
      categories: input.visibilitySettings.categories,
      profile: withoutUnusedOptions(input.profile ?? shopFormatSchema.parse({})),
      priceRules: input.priceRules ?? null,
      createdAt: deps.clock.now(),
    })
    const group = await loadGroup(trx, actor, id)
    if (group.isForNewcomers) await clearNewcomers(trx, group)
    await recordGroupAudit(trx, deps, group, { verb: 'create', after: toAudited(group) })
    return toGroup(trx, group)
  })
}

/**
 * Changes a group, and with it at once what its members have from it.
 * @throws DomainError NOT_FOUND; CONFLICT when the supplier has another group of this name; INVALID as `createGroup`
 */
export async function updateGroup(
  deps: Deps,
  actor: Actor,
  { id, ...input }: UpdateGroupInput,
): Promise<RetailerGroup> {
  const { supplierId } = await loadGroup(deps.db, actor, id)
  await checkPriceRules(deps, supplierId, input.priceRules)
  const changed = await inTransaction(deps.db, async (trx) => {
    const before = await loadGroup(trx, actor, id)
    if (input.name !== undefined) await assertNameFree(trx, before.supplierId, input.name, id)
    const changes = toChanges(before, input)
    if (Object.keys(changes).length === 0) return toGroup(trx, before)
    await applyToMembers(trx, before, changes, deps.clock.now(), () =>
      updateGroupRow(trx, before, { ...changes, ...toMoments(changes, deps.clock.now()) }),
    )
    if (changes.isForNewcomers) await clearNewcomers(trx, before)
    const after = { ...before, ...changes }
    const states = { before: toAudited(before), after: toAudited(after) }
    await recordGroupAudit(trx, deps, after, { verb: 'update', ...states })
    return toGroup(trx, after)
  })
  await queueWaitingVariants(deps)
  return changed
}

/** Only what is otherwise than before. */
function toChanges(
  before: RetailerGroupRow,
  input: Omit<UpdateGroupInput, 'id'>,
): RetailerGroupChanges {
  const { name, isForNewcomers, visibilitySettings, syncFrequency, profile, priceRules } = input
  const wanted: RetailerGroupChanges = {
    ...(name !== undefined && { name }),
    ...(isForNewcomers !== undefined && { isForNewcomers }),
    ...(syncFrequency !== undefined && { syncFrequencyMinutes: syncFrequency }),
    ...(visibilitySettings && {
      isAllProducts: visibilitySettings.allProducts,
      categories: visibilitySettings.categories,
    }),
    ...(profile && { profile: withoutUnusedOptions(profile) }),
    ...(priceRules !== undefined && { priceRules }),
  }
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => !isDeepStrictEqual(before[key as keyof RetailerGroupRow], value),
    ),
  )
}

/** From when on members move to the newest version: docs/rules.md#how-often-a-retailers-file-changes. */
const toMoments = (changes: RetailerGroupChanges, now: number): RetailerGroupChanges => ({
  ...(changes.syncFrequencyMinutes !== undefined && { frequencyChangedAt: now }),
  ...((changes.isAllProducts !== undefined || changes.categories) && { visibilityChangedAt: now }),
  ...(changes.profile && { formatChangedAt: now }),
  ...(changes.priceRules !== undefined && { pricesChangedAt: now }),
})

/** @throws DomainError CONFLICT while it has members: nobody's settings change by that */
export function deleteGroup(deps: Deps, actor: Actor, id: number): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const group = await loadGroup(trx, actor, id)
    const count = await countMembers(trx, id)
    if (count > 0) {
      const problem =
        count === 1
          ? '1 retailer is in this group. Move it first'
          : `${formatCount(count)} retailers are in this group. Move them first`
      throw new DomainError('CONFLICT', problem)
    }
    await deleteGroupRow(trx, group)
    await recordGroupAudit(trx, deps, group, { verb: 'delete', before: toAudited(group) })
  })
}

async function assertNameFree(
  trx: WriteTransaction,
  supplierId: number,
  name: string,
  ownId?: number,
): Promise<void> {
  const id = await findGroupByName(trx, supplierId, name)
  if (id === undefined || id === ownId) return
  throw new DomainError('CONFLICT', 'There is already a group of this name', { field: 'name' })
}

function recordGroupAudit(
  trx: WriteTransaction,
  deps: Deps,
  { id, name, supplierId }: RetailerGroupRow,
  { verb, ...states }: { verb: AuditVerb<'group'>; before?: AuditedState; after?: AuditedState },
): Promise<void> {
  const subject = { id, name }
  return recordAudit(trx, deps, { action: `group.${verb}`, subject, supplierId, ...states })
}

const toAudited = (row: RetailerGroupRow): AuditedState => ({
  name: row.name,
  isForNewcomers: row.isForNewcomers,
  syncFrequency: row.syncFrequencyMinutes,
  allProducts: row.isAllProducts,
  categories: row.categories,
  profile: row.profile,
  priceRules: row.priceRules,
})
