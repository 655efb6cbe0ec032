import type { Role } from '../../../../shared/constants'

/** The kinds of callers, named in relation to the supplier whose objects the calls are about. */
export const ACTORS = [
  'anonymous',
  'ownRetailer',
  'otherRetailer',
  'owningSupplier',
  'otherSupplier',
  'administrator',
  'deactivated',
] as const
export type ActorKind = (typeof ACTORS)[number]

/** Descriptions of the callers, for test names. */
export const ACTOR_NAMES: Record<ActorKind, string> = {
  anonymous: 'an anonymous caller',
  ownRetailer: 'the retailer itself',
  otherRetailer: 'a retailer of another supplier',
  owningSupplier: 'the owning supplier',
  otherSupplier: 'another supplier',
  administrator: 'an administrator',
  deactivated: 'a deactivated user with an old cookie',
}

/** The role of each caller; null when not signed in, or no longer. */
export const ACTOR_ROLES: Record<ActorKind, Role | null> = {
  anonymous: null,
  ownRetailer: 'RETAILER',
  otherRetailer: 'RETAILER',
  owningSupplier: 'SUPPLIER',
  otherSupplier: 'SUPPLIER',
  administrator: 'SUPER_ADMIN',
  deactivated: null,
}

/** The expected status for each caller. */
export type Expectation = Record<ActorKind, number>

export function everyone(status: number): Expectation {
  return {
    anonymous: status,
    ownRetailer: status,
    otherRetailer: status,
    owningSupplier: status,
    otherSupplier: status,
    administrator: status,
    deactivated: status,
  }
}

export const signedIn = (status: number): Expectation => ({
  ...everyone(status),
  anonymous: 401,
  deactivated: 401,
})

export const administrators = (status: number): Expectation => ({
  ...signedIn(403),
  administrator: status,
})

/** All suppliers, and administrators. */
export const suppliers = (status: number): Expectation => ({
  ...signedIn(status),
  ownRetailer: 403,
  otherRetailer: 403,
})

/** The supplier that the object belongs to, and administrators. */
export const owningSupplier = (status: number): Expectation => ({
  ...suppliers(status),
  otherSupplier: 404,
})

export const retailers = (status: number): Expectation => ({
  ...signedIn(403),
  ownRetailer: status,
  otherRetailer: status,
})

export const ownRetailer = (status: number): Expectation => ({
  ...retailers(status),
  otherRetailer: 404,
})

/** The retailer itself, its supplier, and administrators. */
export const aroundRetailer = (status: number): Expectation => ({
  ...signedIn(status),
  otherRetailer: 404,
  otherSupplier: 404,
})
