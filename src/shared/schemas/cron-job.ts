import { z } from 'zod'

import { CRON_JOB_OUTCOMES, CRON_JOB_STATUSES } from '../constants'
import { instantSchema } from './primitives'

/** §3, Cron job; `name`, `description`, `schedule`, `lastRun` and `status` are the specification's. */
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
  /** While it runs, what it is doing. */
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
  /** Somebody asked for it; else its time had come. */
  isRequested: z.boolean(),
  step: z.string().nullable(),
  summary: z.string().nullable(),
  error: z.string().nullable(),
})
export type CronJobRun = z.infer<typeof cronJobRunSchema>

/** §3, Backup file: one that was restored on trial and found whole. */
export const backupFileSchema = z.object({
  filename: z.string(),
  /** Bytes of the archive as it is downloaded. */
  size: z.number().int(),
  createdAt: instantSchema,
  downloadUrl: z.string(),
  verifiedAt: instantSchema,
  /** How long it took to make and to verify. */
  durationMs: z.number().int(),
})
export type BackupFile = z.infer<typeof backupFileSchema>

/** The backups of a job; of all jobs without one. */
export const listBackupFilesInput = z
  .object({ jobName: z.string().max(100).optional() })
  .default({})
