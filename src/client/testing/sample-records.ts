import type { Connection } from '../../shared/schemas/connection'
import type { Retailer } from '../../shared/schemas/retailer'
import { AUTOMATIC_READING } from '../../shared/schemas/source-reading'

/** A connection as returned by the server; tests override the fields that matter. */
export const sampleConnection: Connection = {
  id: 1,
  supplierId: 2,
  name: 'Spring catalogue',
  type: 'URL',
  config: { url: 'https://example.com/a.csv', auth: { type: 'none' } },
  fileFormat: 'CSV',
  syncFrequency: 60,
  lastSync: null,
  isActive: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  status: 'synced',
  lastAttemptAt: null,
  lastError: null,
  nextSyncAt: null,
  consecutiveFailures: 0,
  categoryReading: null,
  reading: AUTOMATIC_READING,
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
