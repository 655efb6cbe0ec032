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
  /** That people do and the audit log records. */
  actions: number
}

export type Table =
  | 'users'
  | 'connections'
  | 'retailers'
  | 'syncRuns'
  | 'versions'
  | 'variants'
  | 'downloads'
  | 'pulls'
  | 'pullDays'
  | 'auditEntries'

const MAX_VERSIONS = 30
const VERSION_DAYS = 90
const RUN_DAYS = 30
const PULL_DAYS = 90
const MAX_PULLS = 100
const AUDIT_DAYS = 365
const KEY_BYTES = 32

/** The rows of a connection after it has been used for so many days. */
export function countRows(day: Days, days: number): Record<Table, number> {
  const { syncs, published, retailers, reads, sent, views, actions } = day
  const versions = Math.min(MAX_VERSIONS, published * Math.min(days, VERSION_DAYS))
  // A shop that reads less often than files are published does not get all of them.
  const readVersions = published > 0 ? Math.min(1, reads / published) * versions : 0
  return {
    users: 1 + retailers,
    connections: 1,
    retailers,
    syncRuns: syncs * Math.min(days, RUN_DAYS),
    versions,
    variants: Math.min(versions, 1) * views,
    downloads: retailers * readVersions,
    pulls: retailers * Math.min(MAX_PULLS, sent * Math.min(days, PULL_DAYS)),
    pullDays: reads > 0 ? retailers * Math.min(days, PULL_DAYS) : 0,
    auditEntries: actions * Math.min(days, AUDIT_DAYS),
  }
}

/**
 * The bytes of a connection's stored files: versions with their keys, and filtered files. The oldest are
 * removed when they exceed the supplier's quota.
 */
export function countFileBytes(day: Days, days: number, quotaBytes = Infinity): number {
  const { versions } = countRows(day, days)
  const keys = (day.fileBytes / day.rowBytes) * KEY_BYTES
  const filtered = Math.min(versions, 1) * day.views * day.viewShare * day.fileBytes
  return Math.min(quotaBytes, versions * (day.fileBytes + keys) + filtered)
}

/**
 * Bytes of a row with its indexes on PostgreSQL, measured after 15 days of 20 suppliers and 200 retailers
 * with files of 8 columns. On SQLite most rows take half; a version takes three times as much, because
 * PostgreSQL compresses its first rows.
 */
export const ROW_BYTES: Record<Table, number> = {
  users: 600,
  connections: 2_000,
  retailers: 700,
  syncRuns: 500,
  versions: 4_200,
  variants: 2_400,
  downloads: 270,
  pulls: 240,
  pullDays: 140,
  auditEntries: 900,
}

/**
 * Processor time in milliseconds of all parts, the database and the bucket among them, from
 * `npm run fleet -- --growth` and rows 1, 2, 6 and 7 of scripts/bench/RESULTS.md.
 */
export const CPU_MS = {
  /** A sync that publishes: besides its bytes, and for each megabyte. */
  sync: 120,
  syncMegabyte: 17,
  unchanged: 20,
  /** A filtered file: besides the bytes of the file that it is taken from, and for each megabyte of that. */
  filtered: 40,
  filteredMegabyte: 4,
  /** A read at a feed address that is answered with 304, and one that sends a file. */
  read304: 0.25,
  read: 0.6,
  sentMegabyte: 1,
}

/** Transactions that write. */
export const WRITES = {
  /** Claim, begin, enter and leave the host, publish or finish. */
  sync: 6,
  /** Request, lease and result of a filtered file. */
  filtered: 3,
  /** Records of reads are written in batches of up to 50. */
  read: 0.05,
  /** A retailer that gets a new version. */
  newVersionRead: 1,
  action: 1,
}

/** Requests to a bucket that write, and those that read, for each stored file. */
export const BUCKET = {
  /** Of a version, its file and its keys. */
  filesOfVersion: 2,
  /** Put, and delete once it is old. */
  writesOfFile: 2,
  /** Is it there already, may it be named, is it still there. */
  readsOfFile: 4,
}
