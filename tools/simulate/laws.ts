import {
  MAX_AGE_DAYS,
  MAX_VERSIONS,
} from '../../src/server/features/distribution/stored-files/storage-quota'
import { DERIVED_SHARE } from '../../src/server/features/distribution/stored-files/storage-usage'
import {
  EVENT_LIFETIME_MS,
  RUN_LIFETIME_MS,
} from '../../src/server/features/operations/maintenance/clean-up-task'
import { RECORD_BYTES } from '../../src/server/files/keys/key-records'
import { DAY_MS } from '../../src/shared/durations'
import { AUDIT_KEPT_DAYS } from '../../src/shared/schemas/audit'

/**
 * How many rows and bytes a connection leaves behind, and what its work takes. The counts are the rules of
 * docs/rules.md; laws.test.ts compares them with the product.
 */

/** What happens to one connection on a day. */
export type Days = {
  syncs: number
  /** Of these, how many publish a new file. */
  published: number
  /** Of its file. */
  fileBytes: number
  rowBytes: number
  retailers: number
  /** Of each retailer's shop, and how many of these send a file. */
  reads: number
  sent: number
  /** Distinct filtered files that are made of each version, and their share of its bytes. */
  views: number
  viewShare: number
  /** Compressed copies of a version that shops read, and of a filtered file. */
  copiesOfVersion: number
  copiesOfView: number
  /** That people do and the audit log records. */
  actions: number
}

export type Table =
  | 'users'
  | 'connections'
  | 'retailers'
  | 'feedAddresses'
  | 'syncRuns'
  | 'versions'
  | 'variants'
  | 'compressedFiles'
  | 'downloads'
  | 'retailerPulls'
  | 'recentDownloads'
  | 'events'
  | 'auditEntries'

/** The rows of a connection after it has been used for so many days. */
export function countRows(day: Days, days: number): Record<Table, number> {
  const { syncs, published, retailers, reads, sent, actions } = day
  const { versions, readVersions, variants } = countFilesOf(day, days)
  return {
    users: 1 + retailers,
    connections: 1,
    retailers,
    feedAddresses: retailers,
    syncRuns: syncs * keptDays(days, RUN_LIFETIME_MS),
    versions,
    variants,
    compressedFiles: retailers > 0 && reads > 0 ? readVersions + variants : 0,
    downloads: retailers * readVersions,
    retailerPulls: reads > 0 ? retailers : 0,
    recentDownloads: sent > 0 ? retailers : 0,
    events: published * keptDays(days, EVENT_LIFETIME_MS),
    auditEntries: actions * Math.min(days, AUDIT_KEPT_DAYS),
  }
}

function countFilesOf({ published, reads, views }: Days, days: number) {
  const versions = Math.min(MAX_VERSIONS, published * Math.min(days, MAX_AGE_DAYS))
  // A shop that reads less often than files are published does not get all of them.
  const readVersions = published > 0 ? Math.min(1, reads / published) * versions : 0
  return { versions, readVersions, variants: Math.min(versions, 1) * views }
}

const keptDays = (days: number, lifetimeMs: number) => Math.min(days, lifetimeMs / DAY_MS)

/** How many files a connection has: versions with their keys, filtered files, and copies of those read. */
export function countFiles(day: Days, days: number): StoredFiles {
  const { versions, readVersions, variants } = countFilesOf(day, days)
  const copies = readVersions * day.copiesOfVersion + variants * day.copiesOfView
  return { ofVersions: 2 * versions, filtered: variants, copies }
}

export type StoredFiles = { ofVersions: number; filtered: number; copies: number }

/**
 * The bytes of a connection's stored files: versions with their keys, and filtered files. The oldest are
 * removed when they exceed the supplier's quota, or the share of it that filtered files have beside.
 */
export function countFileBytes(day: Days, days: number, quotaBytes = Infinity): number {
  const { versions } = countRows(day, days)
  const keys = (day.fileBytes / day.rowBytes) * RECORD_BYTES
  const filtered = Math.min(versions, 1) * day.views * day.viewShare * day.fileBytes
  const ofVersions = versions * (day.fileBytes + keys)
  return Math.min(quotaBytes, ofVersions) + Math.min(quotaBytes * DERIVED_SHARE, filtered)
}

/**
 * Bytes of a row with its indexes on PostgreSQL, measured after 15 days of 20 suppliers and 200 retailers
 * with files of 8 columns. On SQLite most rows take half; a version takes three times as much, because
 * PostgreSQL compresses its first rows, and a list of downloads too. Those of feed addresses, copies, events,
 * pulls and lists of downloads are from tools/bench/programs/costs-for-simulation.ts.
 */
export const ROW_BYTES: Record<Table, number> = {
  users: 600,
  connections: 2_000,
  retailers: 700,
  feedAddresses: 370,
  syncRuns: 500,
  versions: 4_200,
  variants: 2_400,
  compressedFiles: 690,
  downloads: 270,
  retailerPulls: 230,
  recentDownloads: 1_500,
  events: 270,
  auditEntries: 900,
}

/**
 * Processor time in milliseconds of all parts, the database and the bucket among them, from
 * `npm run fleet -- --costs`, and for megabytes from rows 1, 2 and 7 of tools/bench/RESULTS.md.
 */
export const CPU_MS = {
  /** A sync that publishes: besides its bytes, and for each megabyte. */
  sync: 77,
  syncMegabyte: 17,
  unchanged: 6.5,
  /** What a sync takes more if its source is a workbook: for its parts, and for each megabyte of its table. */
  workbook: 20,
  workbookMegabyte: 115,
  /**
   * A filtered file: besides the bytes of the file that it is taken from, and for each megabyte of that; and each
   * megabyte that is read for those that are built together.
   */
  filtered: 26.5,
  filteredMegabyte: 0.6,
  filteredReading: 4,
  /** A read at a feed address that is answered with 304, and one that sends a file. */
  read304: 0.13,
  read: 0.4,
  sentMegabyte: 1,
  /**
   * What a read takes besides: finding its file unless that is remembered, which takes nothing to speak of, and
   * recording it. From tools/bench/programs/costs-for-simulation.ts, on PostgreSQL.
   */
  lookUp: 1.0,
  record304: 0.07,
  record: 0.16,
  /** Finding whether anything names a stored file, 500 at a time; from the same program. */
  fileLookUp: 0.032,
  /** A request to the bucket, in the process that makes it: 1,000 requests, 32 at a time. */
  request: 0.55,
  /** Reading an object of a bucket back, and each megabyte of it; from the same program. */
  readBack: 0.8,
  readBackMegabyte: 2.4,
  /** A transaction that writes: docs/decisions/postgres.md, where two cores make 861 in a second. */
  transaction: 2.3,
}

/** A backup of a database with reading it back, in megabytes a second: row 16 of tools/bench/RESULTS.md. */
export const BACKUP_RATE = 154
