import type { Generated } from 'kysely'

import type { ReadRefusal } from '../../../shared/address-protection'
import type { ConnectionType, DownloadStatus, FileFormat } from '../../../shared/constants'
import type { FileProblem } from '../../../shared/schemas/file'
import type { RetailerPriceRules } from '../../../shared/schemas/price-rules'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import type { StoredDownload, VariantSpec } from '../stored-json'

export type RetailersTable = {
  id: Generated<number>
  userId: number
  supplierId: number
  storeName: string | null
  storeUrl: string | null
  connectionType: Generated<ConnectionType>
  fileFormat: Generated<FileFormat>
  syncFrequencyMinutes: number
  isAllProducts: Generated<boolean>
  categories: Generated<string[]>
  /** The form in which it gets its file. */
  profile: Generated<ShopFormat>
  /** How the prices in its file are made; null: they are those of the file. */
  priceRules: RetailerPriceRules | null
  /** The group whose settings it has, besides those of its own; null: in none, and all are its own. */
  groupId: number | null
  hasOwnFrequency: Generated<boolean>
  hasOwnVisibility: Generated<boolean>
  hasOwnFormat: Generated<boolean>
  hasOwnPrices: Generated<boolean>
  /** By which its times of day are meant, such as `Europe/Berlin`. */
  timeZone: Generated<string>
  /** The retailer's current version, and since when; null lets its next request move to the newest. */
  currentVersionId: number | null
  currentSince: number | null
  createdAt: number
}

/** Settings that several retailers of a supplier have. */
export type RetailerGroupsTable = {
  id: Generated<number>
  supplierId: number
  name: string
  /** Whether those whose request is accepted wait in it; one group of a supplier at most. */
  isForNewcomers: boolean
  syncFrequencyMinutes: number
  isAllProducts: boolean
  categories: string[]
  profile: ShopFormat
  priceRules: RetailerPriceRules | null
  /** When each was last changed: from then on its members move to the newest version. 0: never. */
  frequencyChangedAt: Generated<number>
  visibilityChangedAt: Generated<number>
  formatChangedAt: Generated<number>
  pricesChangedAt: Generated<number>
  createdAt: number
}

export type VariantsTable = {
  id: Generated<number>
  versionId: number
  /** SHA-256 of `view`: what the file depends on besides its version. */
  viewKey: string
  view: VariantSpec
  status: DownloadStatus
  sha256: string | null
  sizeBytes: number | null
  rowCount: number | null
  /** The names of its first columns, and the number of all; null until it is built. */
  columns: string[] | null
  columnCount: number | null
  headRows: string[][] | null
  problems: FileProblem[] | null
  leaseToken: string | null
  leaseUntil: number | null
  createdAt: number
  /** When it was built or, to the hour, last downloaded; null until it is built. */
  usedAt: number | null
  /** The retailer that asked for it first; null where its supplier's new version did. */
  requestedBy: number | null
  /** Why it could not be written, as people are told; null for other failures. */
  refusal: string | null
  refusedAt: number | null
}

export type AssignmentsTable = {
  id: Generated<number>
  retailerId: number
  connectionId: number
  versionId: number
  fileName: string
  fileSize: number
  downloadedAt: number
  status: Generated<DownloadStatus>
  /** Written by the version before only. */
  pullCount: Generated<number>
  lastPulledAt: number | null
  /** The hash of the file, as CSV; null until it is ready, and in older rows. */
  contentSha256: string | null
  /** The key of the variant that was shown in it. */
  contentViewKey: string | null
  /** Since when the retailer's file has had this content, also as that of versions before. */
  contentSince: number | null
}

/**
 * How a retailer or its shop has read its file, also without a change: one row, however often. Days are
 * counted since 1970-01-01, in UTC.
 */
export type RetailerPullsTable = {
  retailerId: number
  /** That of the last pull: on PostgreSQL, only the first update of a day has to change an index. */
  lastDay: number
  /** The last pull: when, which version, and by which family of programs. */
  lastPulledAt: number
  versionId: number
  client: string
  /** How often on the last day, on the day before it, and so on. */
  dayCounts: number[]
}

/** The newest downloads by a retailer: one row. */
export type RecentDownloadsTable = {
  retailerId: number
  /** That of the newest one. */
  lastDay: number
  /** Newest first. */
  newestDownloads: StoredDownload[]
}

/** A download by a retailer, as the version before records it: see `RecentDownloadsTable`. */
export type PullsTable = {
  id: Generated<number>
  retailerId: number
  pulledAt: number
  fileName: string
  dataAsOf: number
  rowCount: number
  sizeBytes: number
  client: string
}

/** How often a retailer has read its file on a day, as the version before records it: see `RetailerPullsTable`. */
export type PullDaysTable = {
  retailerId: number
  day: number
  pullCount: number
  lastPulledAt: number
  versionId: number
  client: string
}

/** An address from which a shop reads its file without signing in: /feeds/{token}/inventory.csv. */
export type FeedAddressesTable = {
  id: Generated<number>
  retailerId: number
  /** SHA-256 of the token, in hexadecimal; the token itself is stored nowhere. */
  tokenHash: string
  /** The last characters of the token, by which people tell addresses apart. */
  tokenEnd: string
  createdAt: number
  /** Set when a newer address replaces it. */
  expiresAt: number | null
  lastUsedAt: number | null
  /** The family of the last program, as `client-family.ts` names it. */
  lastClient: string | null
  /** SHA-256 of the password that readers must have besides, in hexadecimal, and its last characters. */
  passwordHash: string | null
  passwordEnd: string | null
  /** The networks that it may be read from; empty for any. */
  networks: Generated<string[]>
  /** When it expires by itself. */
  validUntil: number | null
  /** When people were told that it expires soon. */
  expiryToldAt: number | null
  /** The last read that was refused: when, why, with which family of programs, and the client address. */
  refusedAt: number | null
  refusal: ReadRefusal | null
  refusedClient: string | null
  refusedFrom: string | null
}
