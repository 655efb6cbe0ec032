import { isDeepStrictEqual } from 'node:util'

import { GROUP_SETTINGS } from '../../../../shared/constants'
import type {
  AssignGroupInput,
  FollowGroupInput,
  Membership,
} from '../../../../shared/schemas/group'
import { inTransaction } from '../../../db/open'
import type { RetailerChanges } from '../../../db/schema'
import { retailerScope, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { COLUMNS, FLAGS, toMember, toSettings } from '../retailers/member-settings'
import { applyChanges, loadRetailer } from '../retailers/retailers'
import { findRetailers, type RetailerRecord } from '../retailers/retailers.queries'
import { queueWaitingVariants } from '../variants/variant-requests'
import { loadGroup } from './groups'
import { findGroup } from './groups.queries'

/** With changed settings a retailer moves to the newest version: docs/rules.md#how-often-a-retailers-file-changes. */
const andMove = (before: RetailerRecord, changes: RetailerChanges): RetailerChanges => {
  const isChanged = Object.values(COLUMNS)
    .flat()
    .some((name) => name in changes && !isDeepStrictEqual(before[name], changes[name]))
  return isChanged ? { ...changes, currentSince: null } : changes
}

/** The settings that a retailer has, as its own: it is in no group any more. */
const toNone = (retailer: RetailerRecord): RetailerChanges => ({
  groupId: null,
  syncFrequencyMinutes: retailer.syncFrequencyMinutes,
  isAllProducts: retailer.isAllProducts,
  categories: retailer.categories,
  profile: retailer.profile,
  priceRules: retailer.priceRules,
  // What the group has changed before still moves it.
  currentSince: retailer.currentSince,
  hasOwnFrequency: true,
  hasOwnVisibility: true,
  hasOwnFormat: true,
  hasOwnPrices: true,
})

/**
 * Puts retailers into a group, whose settings they have from then on, or into none: all of them, or none.
 * @throws DomainError NOT_FOUND when the actor may not see one of them or the group, and for a group of another supplier
 */
export async function assignGroup(
  deps: Deps,
  actor: Actor,
  { ids, groupId }: AssignGroupInput,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const group = groupId === null ? null : await loadGroup(trx, actor, groupId)
    for (const id of new Set(ids)) {
      const retailer = await loadRetailer(trx, actor, id)
      if (group && group.supplierId !== retailer.supplierId) throw notFound('Retailer')
      const changes = group ? andMove(retailer, toMember(group)) : toNone(retailer)
      await applyChanges(trx, deps, retailer, changes, { groupName: group?.name ?? null })
    }
  })
  await queueWaitingVariants(deps)
}

/**
 * Lets settings of a retailer be those of its group again.
 * @throws DomainError NOT_FOUND when the actor may not see the retailer, or it is in no group
 */
export async function followGroup(
  deps: Deps,
  actor: Actor,
  { id, settings }: FollowGroupInput,
): Promise<Membership> {
  const membership = await inTransaction(deps.db, async (trx) => {
    const retailer = await loadRetailer(trx, actor, id)
    const { groupId, supplierId } = retailer
    const group = groupId === null ? undefined : await findGroup(trx, groupId, { supplierId })
    if (!group) throw notFound('Group')
    const own = settings.filter((name) => retailer[FLAGS[name]])
    await applyChanges(trx, deps, retailer, andMove(retailer, toSettings(group, own)))
    return toMembership(await loadRetailer(trx, actor, id))
  })
  await queueWaitingVariants(deps)
  return membership
}

/** Returns the group of a retailer. */
export async function getMembership(deps: Deps, actor: Actor, id: number): Promise<Membership> {
  return toMembership(await loadRetailer(deps.db, actor, id))
}

/** Returns the groups of those of these retailers that the actor may see. */
export async function listMemberships(
  deps: Deps,
  actor: Actor,
  ids: readonly number[],
): Promise<Membership[]> {
  if (ids.length === 0) return []
  return (await findRetailers(deps.db, ids, retailerScope(actor))).map(toMembership)
}

const toMembership = (retailer: RetailerRecord): Membership => ({
  retailerId: retailer.id,
  groupId: retailer.groupId,
  groupName: retailer.groupName,
  own: GROUP_SETTINGS.filter((name) => retailer[FLAGS[name]]),
})
