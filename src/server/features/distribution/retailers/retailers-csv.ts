import { formatSyncFrequency } from '../../../../shared/format'
import type { ListedRetailer } from '../../../../shared/schemas/retailer'
import { toCsvTable } from '../../../domain/csv-table'

/** The list of retailers for spreadsheets. */
export const RETAILERS_CSV = toCsvTable<ListedRetailer>({
  id: ({ id }) => id,
  store: ({ storeName }) => storeName,
  username: ({ username }) => username,
  'store url': ({ storeUrl }) => storeUrl,
  'sync frequency': ({ syncFrequency }) => formatSyncFrequency(syncFrequency),
  created: ({ createdAt }) => createdAt,
})
