import { z } from 'zod'

import { PROCESS_ROLES } from '../constants'
import { emailSchema, instantSchema, receiverUrlSchema } from './primitives'

/** What is to be told of a part of the installation. */
export const findingSchema = z.object({
  part: z.string(),
  /** `warning`: it works, but not as it should; `problem`: something does not work. */
  state: z.enum(['ok', 'warning', 'problem']),
  text: z.string(),
  /** What to do about it. */
  advice: z.string().optional(),
})
export type Finding = z.infer<typeof findingSchema>

/** What an examination of everything that the installation depends on has found. */
export const examinationSchema = z.object({
  findings: findingSchema.array(),
  examinedAt: instantSchema,
})
export type Examination = z.infer<typeof examinationSchema>

export const effectiveSettingSchema = z.object({
  name: z.string(),
  purpose: z.string(),
  /** What is set, or the default; empty: nothing is. Null: it is set, and not shown. */
  value: z.string().nullable(),
  /** Where it comes from: nowhere, the environment, `.env`, or a file that `NAME_FILE` names. */
  source: z.enum(['default', 'environment', 'dotenv', 'file']),
})
export type EffectiveSetting = z.infer<typeof effectiveSettingSchema>

const processSchema = z.object({
  id: z.string(),
  role: z.enum(PROCESS_ROLES),
  host: z.string(),
  pid: z.number().int(),
  version: z.string(),
  /** The commit that was built; null if unknown. */
  revision: z.string().nullable(),
  runtime: z.string(),
  startedAt: instantSchema,
  seenAt: instantSchema,
})
export type RunningProcess = z.infer<typeof processSchema>

const sizesSchema = z.object({
  databaseBytes: z.number(),
  filesBytes: z.number(),
  /** Null when they could not be listed. */
  backupsBytes: z.number().nullable(),
})

const forecastSchema = z.discriminatedUnion('state', [
  /** It has been measured on too few days to say anything. */
  z.object({ state: z.literal('unknown'), days: z.number().int(), neededDays: z.number().int() }),
  /** It does not fill, or not within ten years. */
  z.object({ state: z.literal('steady'), days: z.number().int() }),
  /** Syncs will wait for room in so many days; 0: they do now. */
  z.object({
    state: z.literal('filling'),
    days: z.number().int(),
    bytesPerDay: z.number(),
    fullInDays: z.number().int(),
  }),
])
export type DiskForecast = z.infer<typeof forecastSchema>

/** What the installation is, where its data are, and how these grow. */
export const systemStateSchema = z.object({
  version: z.string(),
  revision: z.string().nullable(),
  runtime: z.string(),
  database: z.object({ engine: z.string(), version: z.string(), place: z.string() }),
  /** Where files and backups are: a folder or a bucket. */
  files: z.object({ place: z.string(), isBucket: z.boolean() }),
  backups: z.object({ place: z.string(), isBucket: z.boolean() }),
  queue: z.enum(['redis', 'database']),
  /** Whether mails can be sent. */
  hasMail: z.boolean(),
  /** Those that run, as far as they have said so lately. */
  processes: processSchema.array(),
  /** Whether they are of several versions. */
  isMixed: z.boolean(),
  disk: z.object({
    freeBytes: z.number(),
    totalBytes: z.number(),
    /** Below so much free space, syncs wait. */
    reservedBytes: z.number(),
    forecast: forecastSchema,
  }),
  /** What was measured on each day, oldest first. */
  sizes: sizesSchema.extend({ day: instantSchema }).array(),
  /** How much each grows in a day; null while it has been measured on too few. */
  growth: sizesSchema.nullable(),
})
export type SystemState = z.infer<typeof systemStateSchema>

export const sendTestInput = z.discriminatedUnion('to', [
  z.object({ to: z.literal('mail'), address: emailSchema }),
  z.object({ to: z.literal('webhook'), url: receiverUrlSchema }),
  z.object({ to: z.literal('files') }),
  z.object({ to: z.literal('backups') }),
])
export type SendTestInput = z.infer<typeof sendTestInput>

/** What came of a test: the answer as it was given. */
export const testResultSchema = z.object({
  isOk: z.boolean(),
  answer: z.string(),
  tookMs: z.number().int(),
})
export type TestResult = z.infer<typeof testResultSchema>
