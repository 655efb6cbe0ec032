import { z } from 'zod'

import {
  categoryReadingSchema,
  dialectSchema,
  feedProblemSchema,
  type CategoryCount,
} from '../../shared/schemas/file'

/** Access to a source as it is stored: what may be shown again, and the sealed secret. */
const storedAuthSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('basic'), username: z.string(), sealed: z.string() }),
  z.object({ type: z.literal('bearer'), sealed: z.string() }),
  z.object({ type: z.literal('header'), name: z.string(), sealed: z.string() }),
])
export type StoredAuth = z.infer<typeof storedAuthSchema>

const storedConfigSchema = z.object({ url: z.string(), auth: storedAuthSchema.optional() })
/** How a connection reaches its source, but for the type of source, which has a column of its own. */
export type StoredConfig = z.infer<typeof storedConfigSchema>

const sessionDataSchema = z.object({
  userId: z.number().optional(),
  epoch: z.number().optional(),
  endsAt: z.number().optional(),
  idleMs: z.number().optional(),
})
export type SessionData = z.infer<typeof sessionDataSchema>

/** Whom an identity provider vouches for. */
const identitySchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  pictureUrl: z.string().nullable(),
})
export type StoredIdentity = z.infer<typeof identitySchema>

/** What was stored before the bounds of today's input must stay readable. */
const storedReadingSchema = categoryReadingSchema.extend({ column: z.string() })

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
const isTextTable = (value: unknown): value is string[][] =>
  Array.isArray(value) && value.every(isTexts)
const isCategoryCounts = (value: unknown): value is CategoryCount[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item?.cell === 'string' && Number.isInteger(item.rows))

/**
 * What each JSON column holds, in whichever table it stands. Columns with up to 20,000 items have a
 * plain predicate: an array schema takes three times as long as parsing the text.
 */
export const JSON_COLUMNS = {
  /** Specified for users; nothing sets it yet. */
  settings: z.record(z.string(), z.unknown()),
  config: storedConfigSchema,
  data: sessionDataSchema,
  identity: identitySchema,
  categoryReading: storedReadingSchema,
  dialect: dialectSchema,
  problems: z.array(feedProblemSchema),
  columns: z.custom<string[]>(isTexts),
  categories: z.custom<string[]>(isTexts),
  headRows: z.custom<string[][]>(isTextTable),
  categoryCounts: z.custom<CategoryCount[]>(isCategoryCounts),
}
