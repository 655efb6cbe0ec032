import { keepPreviousData } from '@tanstack/react-query'

import type { Membership } from '../../../shared/schemas/group'
import type { ListedRetailer } from '../../../shared/schemas/retailer'
import { trpc } from '../../trpc'

/** The groups of the retailers of a page, by id; undefined while the supplier has no groups. */
export function useMemberships(
  retailers: readonly ListedRetailer[] | undefined,
): ReadonlyMap<number, Membership> | undefined {
  const groups = trpc.groups.list.useQuery()
  const ids = retailers?.map(({ id }) => id) ?? []
  const hasGroups = Boolean(groups.data?.length)
  const query = trpc.groups.memberships.useQuery(
    { ids },
    { enabled: hasGroups && ids.length > 0, placeholderData: keepPreviousData },
  )
  if (!hasGroups) return undefined
  return new Map(query.data?.map((membership) => [membership.retailerId, membership]))
}
