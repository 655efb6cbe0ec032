import type { Generated } from 'kysely'

import type { FileProblem } from '../../../shared/schemas/file'
import type { MergedRules } from '../../../shared/schemas/merged-file'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import type { MergedFrom } from '../stored-json'

/** The file that a retailer has made of its files of several suppliers. */
export type MergedFilesTable = {
  id: Generated<number>
  /** The retailer's company. */
  userId: number
  /** The form in which its shop gets it. */
  profile: ShopFormat
  mergedRules: MergedRules
  /** The canonical matching file; null without one. */
  matchingSha256: string | null
  matchingBytes: number | null
  /** How many items it matches. */
  matchingRows: number | null
  /** When it is next to be seen whether something has changed; null: when something happens. */
  checkAt: number | null
  /** When it was last made anew. */
  madeAt: number | null
  /** Why it could not be made the last time. */
  failure: string | null
  leaseToken: string | null
  leaseUntil: number | null
  readCount: Generated<number>
  /** By which times of day of its destinations are counted. */
  timeZone: Generated<string>
  createdAt: number
}

/** What a merged file takes of one supplier, in the order of preference. */
export type MergedPartsTable = {
  id: Generated<number>
  mergedFileId: number
  /** The relation to the supplier. */
  retailerId: number
  place: number
  prefix: string
  currency: string | null
  costColumn: string | null
  /** Which version it has, and since when; null while there is none. */
  versionId: number | null
  versionSince: number | null
  /** With which rows and columns the part file was written, and all that decides what is in it. */
  seenKey: string | null
  partKey: string | null
  /** Of the part file. */
  sha256: string | null
  sizeBytes: number | null
  rowCount: number | null
  /** From when the version's data are, as far as was known when it was last looked at. */
  dataAt: number | null
  problems: Generated<FileProblem[]>
  /** Why the newest version could not be read; the part stays as it was. */
  failure: string | null
}

/** A merged file as it was made. */
export type MergedVersionsTable = {
  id: Generated<number>
  mergedFileId: number
  mergedFrom: MergedFrom
  /** Names all that it was made of. */
  fingerprint: string
  sha256: string
  sizeBytes: number
  keysSha256: string
  keysBytes: number
  /** The list of items that have left it. */
  goneSha256: string | null
  goneBytes: number | null
  /** Items that matched nothing, to be filled in. */
  unmatchedSha256: string
  unmatchedBytes: number
  unmatchedCount: number
  sharedCount: number
  rowCount: number
  problems: FileProblem[]
  createdAt: number
}

/** A version in a shop format and form, or what differs from an earlier one. */
export type MergedOutputsTable = {
  id: Generated<number>
  mergedFileId: number
  mergedVersionId: number
  /** `format …`: another shop format, which a destination gets, by its fingerprint. */
  form: 'own' | 'csv' | 'json' | 'xlsx' | 'parquet' | `format ${string}`
  /** 0 for the whole file. */
  sinceVersionId: Generated<number>
  profile: ShopFormat
  status: 'waiting' | 'ready' | 'failed'
  sha256: string | null
  sizeBytes: number | null
  rowCount: number | null
  problems: Generated<FileProblem[]>
  failure: string | null
  /** When a reader has asked for this form, by the day. */
  createdAt: number
}

/** An address from which a shop reads a merged file. */
export type MergedAddressesTable = {
  id: Generated<number>
  mergedFileId: number
  /** SHA-256 of the token, in hexadecimal; the token itself is stored nowhere. */
  tokenHash: string
  tokenEnd: string
  createdAt: number
  /** Set when a newer address replaces it. */
  expiresAt: number | null
  lastUsedAt: number | null
  lastClient: string | null
}
