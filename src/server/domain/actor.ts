import type { Role } from '../../shared/constants'
import type { ConnectionScope } from '../features/catalogue/connections/connections.queries'
import type { RetailerScope } from '../features/distribution/retailers/retailers.queries'
import type { UserRecord } from '../features/people/accounts/users.queries'
import { DomainError } from './errors'

/** The signed-in, active user who makes a call; read from the database on every request. */
export type Actor = UserRecord & {
  /** The administrator who sees what this user sees, and may write nothing; see `isViewed`. */
  viewAs?: { by: UserRecord; endsAt: number }
}

/** Whether an administrator only looks: what the user reads must leave no trace as the user's doing. */
export const isViewed = ({ viewAs }: Pick<Actor, 'viewAs'>): boolean => viewAs !== undefined

/** Who really calls. */
export const personOf = (actor: Actor): UserRecord => actor.viewAs?.by ?? actor

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
