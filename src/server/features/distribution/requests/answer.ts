import type { AccessRequest, ApproveRequestInput } from '../../../../shared/schemas/directory'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { AccessRequestRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import { countRelations, isRetailerOf } from '../../people/accounts/linked-retailers.queries'
import { listPasswordOrigins, listPeopleIds } from '../../people/accounts/persons.queries'
import { deleteOtherSessions } from '../../people/accounts/sessions.queries'
import { findUser, type UserRecord } from '../../people/accounts/users.queries'
import {
  endEarlierAccess,
  isKnownToOthers,
  wasKnown,
} from '../../people/invitations/earlier-access'
import { loadGroup } from '../groups/groups'
import { findNewcomersGroup } from '../groups/groups.queries'
import { toMember } from '../retailers/member-settings'
import { linkRetailer } from '../retailers/retailers'
import { queueWaitingVariants } from '../variants/variant-requests'
import { recordRequestAudit } from './record-request'
import {
  answerRequest,
  countPendingRequests,
  deleteRequest,
  findPendingRequest,
  listPendingRequests,
} from './requests.queries'

const LISTED = 100

/** Returns the requests that wait for a supplier, oldest first. */
export async function listRequests(
  deps: Deps,
  supplier: Actor,
): Promise<{ requests: AccessRequest[]; openCount: number }> {
  const rows = await listPendingRequests(deps.db, supplier.id, LISTED)
  const openCount = await countPendingRequests(deps.db, supplier.id)
  return { requests: rows.map(toRequest), openCount }
}

/** Nothing of the account: who asks is told by itself. */
const toRequest = ({ id, storeName, storeUrl, message, createdAt }: AccessRequestRow) => ({
  id,
  storeName,
  storeUrl,
  message,
  createdAt: toInstant(createdAt),
})

/**
 * Makes the company that asks a retailer of the supplier, in a group. Returns the id of the retailer.
 * @throws DomainError NOT_FOUND when the request does not wait any more, or there is no such group; LIMIT_REACHED;
 *   CONFLICT when it has to be asked again
 */
export async function approveRequest(
  deps: Deps,
  supplier: Actor,
  { id, groupId }: ApproveRequestInput,
): Promise<number> {
  const retailerId = await inTransaction(deps.db, async (trx) => {
    const request = await findPendingRequest(trx, supplier.id, id)
    if (!request) throw notFound('Request')
    const company = await findUser(trx, request.userId)
    if (!company || !(await canBeLinked(trx, company, supplier))) {
      await deleteRequest(trx, id)
      return undefined
    }
    return link(trx, deps, { supplier, company, request, groupId })
  })
  if (retailerId === undefined) {
    throw new DomainError('CONFLICT', 'This request holds no more. The retailer has to ask again.')
  }
  await queueWaitingVariants(deps)
  return retailerId
}

/** Not what somebody else may sign in as by now: docs/rules.md#several-suppliers-of-a-login. */
async function canBeLinked(
  trx: WriteTransaction,
  company: UserRecord,
  supplier: Actor,
): Promise<boolean> {
  if (!company.isActive || company.deletionAt !== null) return false
  if (await isRetailerOf(trx, { supplierId: supplier.id, userId: company.id })) return false
  return !(await listPasswordOrigins(trx, company.id)).some(isKnownToOthers)
}

type Approval = {
  supplier: Actor
  company: UserRecord
  request: AccessRequestRow
  groupId: number | null | undefined
}

async function link(
  trx: WriteTransaction,
  deps: Deps,
  { supplier, company, request, groupId }: Approval,
): Promise<number> {
  const group =
    groupId === undefined
      ? await findNewcomersGroup(trx, supplier.id)
      : groupId === null
        ? undefined
        : await loadGroup(trx, supplier, groupId)
  await answerRequest(trx, request.id, { status: 'accepted', answeredAt: deps.clock.now() })
  await recordRequestAudit(trx, deps, request, 'accept')
  if ((await countRelations(trx, company.id)) === 1) await endAccessOfFirst(trx, deps, company)
  const retailerId = await linkRetailer(trx, deps, supplier, {
    userId: company.id,
    storeName: request.storeName,
    storeUrl: request.storeUrl,
    visibilitySettings: { allProducts: true, categories: [] },
    ...(group && { member: toMember(group) }),
  })
  await deps.tellPeople(trx, deps, await listPeopleIds(trx, company.id), {
    kind: 'account.supplier-added',
    details: { supplierName: supplier.companyName || supplier.username },
  })
  return retailerId
}

/** Nobody but the first supplier can have known how to sign in; who asked may not be there now. */
async function endAccessOfFirst(
  trx: WriteTransaction,
  deps: Deps,
  company: UserRecord,
): Promise<void> {
  await endEarlierAccess(trx, deps, company)
  for (const person of await listPasswordOrigins(trx, company.id)) {
    if (wasKnown(person)) await deleteOtherSessions(trx, person.id, '')
  }
}

/** Declines a request; no reason is given. @throws DomainError NOT_FOUND when it does not wait any more */
export function declineRequest(deps: Deps, supplier: Actor, id: number): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const request = await findPendingRequest(trx, supplier.id, id)
    if (!request) throw notFound('Request')
    await answerRequest(trx, id, { status: 'declined', answeredAt: deps.clock.now() })
    await recordRequestAudit(trx, deps, request, 'decline')
  })
}
