import { z } from 'zod'

import { SYNC_OUTCOMES } from '../constants'
import { idSchema, instantSchema } from './primitives'
import { syncProgressSchema } from './sync-run'

/** As many as runs are kept: 30 days. */
const MAX_RUN_HOURS = 30 * 24

/** How suppliers' connections and the queue of syncs are doing. */
export const overviewSchema = z.object({
  /** Active connections of active suppliers, and how many of them failed the last time. */
  connectionCount: z.number().int(),
  failingCount: z.number().int(),
  /** How many have data that are late or overdue, or a held file. */
  lateCount: z.number().int(),
  heldCount: z.number().int(),
  /** How many have any of this. */
  troubledCount: z.number().int(),
  /** Suppliers whose retailers have paused destinations, as many as a page shows. */
  pausedDestinations: z
    .object({ supplierId: idSchema, supplierName: z.string(), count: z.number().int() })
    .array(),
  queue: z.object({
    /** What wakes workers: Redis, or only their own look at the database once a second. */
    driver: z.enum(['redis', 'database']),
    runningCount: z.number().int(),
    waitingCount: z.number().int(),
    /** Since when the longest waiting sync has been due; null when none waits. */
    waitingSince: instantSchema.nullable(),
    /** Filtered files to be built. */
    waitingFileCount: z.number().int(),
  }),
  workers: z.object({
    /** Whether the web process does background work itself. */
    isInline: z.boolean(),
    /** Worker processes that Redis knows; null without Redis, and while it does not respond. */
    processCount: z.number().int().nullable(),
    /** When any process last began a job; null when none ever did. */
    lastActiveAt: instantSchema.nullable(),
    /** No scheduler has worked for so long that probably no worker runs. */
    isSilent: z.boolean(),
  }),
})
export type Overview = z.infer<typeof overviewSchema>

/** The disk of the data folder, and the newest backup on it. */
export const storageStateSchema = z.object({
  disk: z.object({
    freeBytes: z.number(),
    totalBytes: z.number(),
    /** Why syncs wait for more room; null while there is enough. */
    shortage: z.string().nullable(),
  }),
  backup: z.object({
    /** The newest verified backup. */
    last: z.object({ createdAt: instantSchema, sizeBytes: z.number().int() }).nullable(),
    /** There is none, or a nightly one is missing. */
    isOverdue: z.boolean(),
    isRunning: z.boolean(),
  }),
})
export type StorageState = z.infer<typeof storageStateSchema>

const syncPlaceSchema = z.object({
  connectionId: idSchema,
  connectionName: z.string(),
  supplierId: idSchema,
  supplierName: z.string(),
})

/** Connections that need their supplier or an administrator: the worst first, and not all of many. */
export const troubledConnectionSchema = syncPlaceSchema.extend({
  trouble: z.enum(['failing', 'held', 'late']),
  /** When the published file was last confirmed; null without one. */
  lastSync: instantSchema.nullable(),
  /** Why the last sync failed, or its file is held. */
  reason: z.string().nullable(),
})
export type TroubledConnection = z.infer<typeof troubledConnectionSchema>

/** What came of the runs of all suppliers that finished in an hour. */
export const runHourSchema = z.object({
  startedAt: instantSchema,
  outcomes: z.object({
    published: z.number().int(),
    unchanged: z.number().int(),
    held: z.number().int(),
    failed: z.number().int(),
    postponed: z.number().int(),
    cancelled: z.number().int(),
  }),
  /** How long the runs had been due when they began; null where no run tells. */
  wait: z.object({ meanMs: z.number().int(), longestMs: z.number().int() }).nullable(),
})
export type RunHour = z.infer<typeof runHourSchema>

export const runHoursQuerySchema = z.object({
  /** Of the hours up to now; those without runs are left out. */
  hours: z.number().int().min(1).max(MAX_RUN_HOURS),
})

/** Which runs: those that finished from `from` until before `until`. */
export const finishedRunsQuerySchema = z.object({
  from: instantSchema,
  until: instantSchema,
  outcome: z.enum(SYNC_OUTCOMES).optional(),
})

/** Newest first, and not all of many. */
export const finishedRunSchema = syncPlaceSchema.extend({
  id: idSchema,
  finishedAt: instantSchema,
  outcome: z.enum(SYNC_OUTCOMES),
  reason: z.string().nullable(),
})
export type FinishedRun = z.infer<typeof finishedRunSchema>

/** The syncs of all suppliers that run or wait now. Both lists are cut; the counts are not. */
export const syncActivitySchema = z.object({
  running: z.array(
    syncPlaceSchema.extend({ startedAt: instantSchema, progress: syncProgressSchema }),
  ),
  runningCount: z.number().int(),
  /** Longest waiting first. */
  waiting: z.array(syncPlaceSchema.extend({ dueAt: instantSchema })),
  waitingCount: z.number().int(),
})
export type SyncActivity = z.infer<typeof syncActivitySchema>
export type RunningSync = SyncActivity['running'][number]
export type WaitingSync = SyncActivity['waiting'][number]
