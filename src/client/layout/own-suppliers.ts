import { NO_MATCH, rankMatch } from '../lib/match-rank'
import { useSignedInUser } from '../session/current-user'
import { useChooseRelation, useOwnRetailer } from '../session/relation'
import { byRank, NOTHING_FOUND, type Command, type Found } from './commands'

/** The suppliers between which a retailer with several chooses. */
export function useOwnSuppliers(query: string): Found {
  const { role } = useSignedInUser()
  const { data } = useOwnRetailer({ enabled: role === 'RETAILER' })
  const choose = useChooseRelation()
  if (!data || data.relations.length < 2) return NOTHING_FOUND
  const commands = data.relations.map(({ id, supplierName, storeName }): Command => {
    const label = supplierName || 'Supplier'
    return {
      group: 'Suppliers',
      label,
      ...(storeName && { note: storeName }),
      id: String(id),
      rank: rankMatch(label, query),
      run: () => choose(id),
    }
  })
  return {
    commands: commands.filter(({ rank }) => rank < NO_MATCH).toSorted(byRank),
    isSearching: false,
  }
}
