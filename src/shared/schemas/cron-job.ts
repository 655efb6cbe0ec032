import { z } from 'zod'

import { BACKUP_KINDS, CRON_JOB_OUTCOMES, CRON_JOB_STATUSES, DRILL_OUTCOMES } from '../constants'
import { instantSchema } from './primitives'

/** A cron job as shown to administrators. Times are ISO 8601 in UTC. */
export const cronJobSchema = z.object({
  name: z.string(),
  description: z.string(),
  /** A cron expression, read in UTC. */
  schedule: z.string(),
  /** The schedule in words. */
  scheduleText: z.string(),
  lastRun: instantSchema.nullable(),
  status: z.enum(CRON_JOB_STATUSES),
  /** null while it is paused. */
  nextRun: instantSchema.nullable(),
  isActive: z.boolean(),
  /** The current step while it runs. */
  step: z.string().nullable(),
  /** Why the last run failed; null when it did not. */
  lastError: z.string().nullable(),
})
export type CronJob = z.infer<typeof cronJobSchema>

export const cronJobNameInput = z.object({ name: z.string().min(1).max(100) })

export const setCronJobActiveInput = cronJobNameInput.extend({ isActive: z.boolean() })

export const cronJobRunSchema = z.object({
  id: z.number().int(),
  startedAt: instantSchema,
  /** null while it runs. */
  finishedAt: instantSchema.nullable(),
  outcome: z.enum(CRON_JOB_OUTCOMES).nullable(),
  /** True when an administrator started it, false when it was due. */
  isRequested: z.boolean(),
  step: z.string().nullable(),
  summary: z.string().nullable(),
  error: z.string().nullable(),
})
export type CronJobRun = z.infer<typeof cronJobRunSchema>

/** What came of restoring a backup into a scratch folder and comparing it. */
const backupDrillSchema = z.object({
  /** It is asked for, or under way. */
  isRunning: z.boolean(),
  /** When the last one ended; null when the backup was never tried. */
  finishedAt: instantSchema.nullable(),
  outcome: z.enum(DRILL_OUTCOMES).nullable(),
  /** Why it failed, in a sentence. */
  reason: z.string().nullable(),
})
export type BackupDrill = z.infer<typeof backupDrillSchema>

/** A backup that was verified; others are not listed. */
export const backupFileSchema = z.object({
  filename: z.string(),
  /** Made by the job, or before the database was migrated to a newer version of the product. */
  kind: z.enum(BACKUP_KINDS),
  /** Bytes of the downloaded archive. */
  size: z.number().int(),
  createdAt: instantSchema,
  downloadUrl: z.string(),
  verifiedAt: instantSchema,
  /** All inventory files have been read back since then; the database and new files when it was verified. */
  filesReadSince: instantSchema,
  /** Time taken to make and verify it. */
  durationMs: z.number().int(),
  drill: backupDrillSchema,
})
export type BackupFile = z.infer<typeof backupFileSchema>

/** The backups of one job, or of all jobs without `jobName`. */
export const listBackupFilesInput = z
  .object({ jobName: z.string().max(100).optional() })
  .default({})

export const backupFileNameInput = z.object({ fileName: z.string().max(200) })
