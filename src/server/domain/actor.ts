import { AREAS_OF, type CallArea, type MemberRole, type Role } from '../../shared/constants'
import type { ApiKeyRow } from '../db/schema'
import type { ConnectionScope } from '../features/catalogue/connections/connections.queries'
import type { RetailerScope } from '../features/distribution/retailers/retailers.queries'
import type { Person } from '../features/people/accounts/persons.queries'
import type { UserRecord } from '../features/people/accounts/users.queries'
import { DomainError } from './errors'

/**
 * For whom a call is made: an administrator or a company, active; read from the database on every request.
 * What it may see hangs on the company, what it may do also on the person.
 */
export type Actor = UserRecord & {
  /** The member of the company who calls; absent when that is the company's own login. */
  person?: Person
  /** The administrator who sees what this user sees, and may write nothing; see `isViewed`. */
  viewAs?: { by: UserRecord; endsAt: number }
  /** From when on the person can do nothing without a second factor; absent when it has one, or needs none. */
  factorDueAt?: number
  /** The API key by which the person calls; absent in a session. */
  key?: Pick<ApiKeyRow, 'id' | 'name'>
}

/** Whether an administrator only looks: what the user reads must leave no trace as the user's doing. */
export const isViewed = ({ viewAs }: Pick<Actor, 'viewAs'>): boolean => viewAs !== undefined

/** Whose password, sessions and alerts are meant: an administrator who only looks sees those of the user. */
export const selfOf = (actor: Actor): UserRecord => actor.person ?? actor

export const memberRoleOf = ({ person }: Pick<Actor, 'person'>): MemberRole =>
  person?.memberRole ?? 'OWNER'

/** Who really calls. */
export const personOf = (actor: Actor): UserRecord => actor.viewAs?.by ?? selfOf(actor)

/** The refusal of every write by somebody who only looks. */
export const viewAsOnlyReads = () =>
  new DomainError(
    'FORBIDDEN',
    'You only view the product as this user. Stop viewing to make changes.',
  )

/** @throws DomainError FORBIDDEN unless the actor has one of the roles */
export function requireRole(actor: Actor, roles: readonly Role[]): void {
  if (!roles.includes(actor.role)) {
    throw new DomainError('FORBIDDEN', 'Your account may not do this')
  }
}

/** Whether the person may make calls of an area for the company. */
export const may = (actor: Pick<Actor, 'person'>, area: CallArea): boolean =>
  AREAS_OF[memberRoleOf(actor)].includes(area)

/** @throws DomainError FORBIDDEN unless the person may make such calls for the company */
export function requireArea(actor: Actor, area: CallArea): void {
  if (!may(actor, area)) {
    throw new DomainError('FORBIDDEN', 'Your role in this company does not include this')
  }
}

/** The retailers an actor may see: an administrator all, a supplier its own, a retailer itself. */
export function retailerScope(actor: Actor): RetailerScope {
  if (actor.role === 'SUPER_ADMIN') return {}
  return actor.role === 'SUPPLIER' ? { supplierId: actor.id } : { userId: actor.id }
}

/** The connections an actor may see. Retailers never get here: `requireRole` refuses them first. */
export function connectionScope(actor: Actor): ConnectionScope {
  return actor.role === 'SUPER_ADMIN' ? {} : { supplierId: actor.id }
}

/**
 * The supplier that a new row belongs to: the supplier itself, or the one an administrator names.
 * @throws DomainError FORBIDDEN for another supplier, INVALID when an administrator names none
 */
export function resolveSupplierId(actor: Actor, supplierId: number | null | undefined): number {
  if (actor.role === 'SUPER_ADMIN') {
    if (supplierId === null || supplierId === undefined) {
      throw new DomainError('INVALID', 'supplierId is required', { field: 'supplierId' })
    }
    return supplierId
  }
  if (supplierId !== null && supplierId !== undefined && supplierId !== actor.id) {
    throw new DomainError('FORBIDDEN', 'You can only use your own supplier account')
  }
  return actor.id
}
