import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../shared/automatic-reading'
import type { Connection } from '../../shared/schemas/connection'
import type { Overview, StorageState, SyncActivity } from '../../shared/schemas/operations'
import type { Version } from '../../shared/schemas/publishing'
import type { OwnRetailer, Retailer } from '../../shared/schemas/retailer'

/** A connection as returned by the server; tests override the fields that matter. */
export const sampleConnection: Connection = {
  id: 1,
  supplierId: 2,
  name: 'Spring catalogue',
  type: 'URL',
  config: { url: 'https://example.com/a.csv', auth: { type: 'none' } },
  fileFormat: 'CSV',
  syncFrequency: 60,
  expectedEveryHours: null,
  lastSync: null,
  isActive: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  status: 'synced',
  freshness: 'on-time',
  lastAttemptAt: null,
  lastError: null,
  nextSyncAt: null,
  consecutiveFailures: 0,
  categoryReading: null,
  reading: AUTOMATIC_READING,
  columnRoles: AUTOMATIC_ROLES,
  updates: null,
  overlay: null,
  progress: null,
}

/** A retailer as returned by the server. */
export const sampleRetailer: Retailer = {
  id: 1,
  userId: 101,
  username: 'store-1',
  supplierId: 2,
  supplierName: 'Northbeck Outdoor',
  storeName: 'Store 1',
  storeUrl: null,
  connectionType: 'URL',
  fileFormat: 'CSV',
  syncFrequency: 1440,
  visibilitySettings: { allProducts: true, categories: [] },
  createdAt: '2026-01-01T00:00:00.000Z',
}

/** As its own login sees it. */
export const ownRetailer: OwnRetailer = {
  ...sampleRetailer,
  relations: [{ id: 1, supplierName: 'Northbeck Outdoor', storeName: 'Store 1' }],
}

/** The administrator's overview while nothing needs attention. */
export const sampleOverview: Overview = {
  connectionCount: 28,
  failingCount: 0,
  lateCount: 0,
  troubledCount: 0,
  heldCount: 0,
  pausedDestinations: [],
  queue: {
    driver: 'database',
    runningCount: 0,
    waitingCount: 0,
    waitingSince: null,
    waitingFileCount: 0,
  },
  workers: {
    isInline: true,
    processCount: null,
    lastActiveAt: '2026-01-15T08:30:00.000Z',
    isSilent: false,
  },
}

export const sampleStorage: StorageState = {
  disk: { freeBytes: 32 * 1024 ** 3, totalBytes: 128 * 1024 ** 3, shortage: null },
  backup: {
    last: { createdAt: '2026-01-15T03:00:00.000Z', sizeBytes: 5 * 1024 ** 2 },
    isOverdue: false,
    isRunning: false,
  },
}

export const idleActivity: SyncActivity = {
  running: [],
  runningCount: 0,
  waiting: [],
  waitingCount: 0,
}

/** A file of the history that another one has replaced. */
export const sampleVersion = (id: number, changes: Partial<Version> = {}): Version => ({
  id,
  fileName: `${id}.csv`,
  state: 'replaced',
  createdAt: '2026-01-15T08:30:00.000Z',
  source: { origin: null, received: null },
  update: null,
  joined: null,
  rowCount: 1_204,
  fileSize: 20_000,
  isPinned: false,
  publishedBy: null,
  restoredFrom: null,
  holdReasons: [],
  holdFacts: [],
  difference: null,
  goneItems: { kept: 0, dropped: 0 },
  ...changes,
})
