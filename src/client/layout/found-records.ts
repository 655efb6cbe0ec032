import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import type { ListedRetailer } from '../../shared/schemas/retailer'
import type { FailedQuery } from '../components/feedback/message-state'
import { pageRequest } from '../lib/list-view'
import { NO_MATCH, rankMatch } from '../lib/match-rank'
import { useSignedInUser } from '../session/current-user'
import { trpc } from '../trpc'
import { byRank, NOTHING_FOUND, type Command, type Found } from './commands'

/** A single letter finds nearly everything. */
export const MIN_QUERY_LENGTH = 2

const SEARCH_DELAY_MS = 200
/** Ranked here: the server's search is in the order of the list. */
const SEARCHED_RECORDS = 100
const SHOWN_RECORDS = 8

/** The query once typing pauses; empty while it is too short. */
export function useSearchedQuery(query: string): string {
  const [q] = useDebouncedValue(query, SEARCH_DELAY_MS)
  return q.length >= MIN_QUERY_LENGTH ? q : ''
}

/** The retailers that match a query: a supplier's own, and for an administrator those of all suppliers. */
export function useFoundRetailers(query: string): Found {
  const { role } = useSignedInUser()
  const isSupplier = role === 'SUPPLIER'
  const navigate = useNavigate()
  const q = useSearchedQuery(query)
  const found = trpc.retailers.page.useQuery(searchFor(q), {
    enabled: role !== 'RETAILER' && q !== '',
    placeholderData: keepPreviousData,
  })
  if (role === 'RETAILER' || query.length < MIN_QUERY_LENGTH) return NOTHING_FOUND
  const open = ({ id, supplierId, username }: ListedRetailer) =>
    isSupplier
      ? navigate({ to: '/supplier/retailers/$retailerId', params: { retailerId: String(id) } })
      : navigate({
          to: '/dashboard/super-admin/suppliers/$supplierId',
          params: { supplierId: String(supplierId) },
          search: { q: username },
        })
  const commands = (found.data?.rows ?? []).map((retailer): Command => ({
    group: 'Retailers',
    label: retailer.storeName || retailer.username,
    ...(!isSupplier && retailer.supplierName && { note: `of ${retailer.supplierName}` }),
    id: String(retailer.id),
    rank: rankAny([retailer.storeName, retailer.username], query),
    run: () => void open(retailer),
  }))
  const title = `${isSupplier ? 'Your' : 'The'} retailers could not be searched`
  return best(commands, found, q !== query, title)
}

/** The suppliers that match an administrator's query, by the search of their list. */
export function useFoundSuppliers(query: string): Found {
  const isAdministrator = useSignedInUser().role === 'SUPER_ADMIN'
  const navigate = useNavigate()
  const q = useSearchedQuery(query)
  const found = trpc.suppliers.page.useQuery(searchFor(q), {
    enabled: isAdministrator && q !== '',
    placeholderData: keepPreviousData,
  })
  if (!isAdministrator || query.length < MIN_QUERY_LENGTH) return NOTHING_FOUND
  const commands = (found.data?.rows ?? []).map(({ id, companyName, username }): Command => ({
    group: 'Suppliers',
    label: companyName || username,
    id: String(id),
    rank: rankAny([companyName, username], query),
    run: () =>
      void navigate({
        to: '/dashboard/super-admin/suppliers/$supplierId',
        params: { supplierId: String(id) },
      }),
  }))
  return best(commands, found, q !== query, 'The suppliers could not be searched')
}

const searchFor = (q: string) => pageRequest({ q, size: SEARCHED_RECORDS }, [])

const rankAny = (names: (string | null)[], query: string) =>
  Math.min(...names.map((name) => rankMatch(name ?? '', query)))

/** The best matches; until the search has answered, those of its last answer that match by name. */
function best(
  commands: Command[],
  found: FailedQuery & { isError: boolean },
  isWaiting: boolean,
  title: string,
): Found {
  const isSearching = isWaiting || found.isFetching
  return {
    commands: commands
      .filter(({ rank }) => !isSearching || rank < NO_MATCH)
      .toSorted(byRank)
      .slice(0, SHOWN_RECORDS),
    isSearching,
    failed: found.isError && !isSearching ? { title, query: found } : undefined,
  }
}
