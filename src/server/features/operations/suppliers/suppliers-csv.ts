import type { ListedSupplier } from '../../../../shared/schemas/supplier'
import { toCsvTable } from '../../../domain/csv-table'

/** The list of suppliers for spreadsheets, with the health of their connections. */
export const SUPPLIERS_CSV = toCsvTable<ListedSupplier>({
  id: ({ id }) => id,
  company: ({ companyName }) => companyName,
  username: ({ username }) => username,
  'contact email': ({ contactEmail }) => contactEmail,
  active: ({ isActive }) => isActive,
  retailers: ({ retailerCount }) => retailerCount,
  'max retailers': ({ maxRetailers }) => maxRetailers,
  published: ({ publishedAt }) => publishedAt,
  connection: ({ connection }) => connection?.name ?? null,
  status: ({ connection }) => connection?.status ?? null,
  'last sync': ({ connection }) => connection?.lastSync ?? null,
  'last error': ({ connection }) => connection?.lastError ?? null,
  created: ({ createdAt }) => createdAt,
})
