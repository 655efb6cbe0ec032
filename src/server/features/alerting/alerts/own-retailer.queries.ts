import { sql } from 'kysely'

import { COMPANY_ID } from '../../../db/queries-kit/expressions'

/**
 * The retailer that an event is about, of a query of `events` and `users`: where it is one of a supplier, that which a
 * company is to it; null for others.
 */
export const OWN_RETAILER_ID = sql<
  number | null
>`coalesce(events."retailerId", (select min(own.id) from retailers own where own."userId" = ${COMPANY_ID} and own."supplierId" = events."supplierId"))`
