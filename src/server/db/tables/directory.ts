import type { Generated } from 'kysely'

import type { AccessRequestStatus } from '../../../shared/constants'

/** What a supplier publishes of itself, to retailers that it does not have. */
export type SupplierCardsTable = {
  supplierId: number
  /** By which retailers name it; the supplier's id is told to nobody. */
  token: string
  isPublished: boolean
  name: string
  description: string
  categories: string[]
  /** The categories, one on each line, to be searched. */
  categoryWords: Generated<string>
  /** As an address with its content: `data:image/png;base64,…`. */
  logo: string | null
  updatedAt: number
}

/** How the syncs of a supplier with a card went on a day that is over, since 1970-01-01 in UTC. */
export type CardDaysTable = {
  supplierId: number
  day: number
  /** Syncs that found the source as it was or with a new file, and the others. */
  goodCount: number
  badCount: number
}

/** That a retailer company asks for the files of a supplier; one row for each pair of them. */
export type AccessRequestsTable = {
  id: Generated<number>
  supplierId: number
  /** The company. */
  userId: number
  storeName: string
  storeUrl: string | null
  message: string
  status: AccessRequestStatus
  createdAt: number
  answeredAt: number | null
}
