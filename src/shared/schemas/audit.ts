import { z } from 'zod'

import { AUDIT_ACTION_NAMES, AUDIT_NOUNS } from '../audit-actions'
import { ROLES, USERNAME_MAX_LENGTH } from '../constants'
import { upTo } from './bounds'
import { idInQuery, idSchema, instantSchema } from './primitives'

/** How long entries are kept, in days; failed sign-ins, which anybody can cause, for less. */
export const AUDIT_KEPT_DAYS = 365
export const FAILED_SIGN_INS_KEPT_DAYS = 30

const valueSchema = z.string().nullable()

/** A changed field, each value as a text: null where there was or is none. */
export const auditChangeSchema = z.object({
  field: z.string(),
  before: valueSchema,
  after: valueSchema,
})
export type AuditChange = z.infer<typeof auditChangeSchema>

export const auditEntrySchema = z.object({
  id: idSchema,
  at: instantSchema,
  action: z.enum(AUDIT_ACTION_NAMES),
  /** The username at that time; null for commands, background jobs and strangers. */
  actorName: z.string().nullable(),
  actorRole: z.enum(ROLES).nullable(),
  /** The name of the API key by which it was done. */
  keyName: z.string().nullable(),
  subjectId: idSchema.nullable(),
  subjectName: z.string().nullable(),
  supplierId: idSchema.nullable(),
  changes: z.array(auditChangeSchema),
  origin: z.enum(['web', 'script', 'worker']),
  address: z.string().nullable(),
  /** How often it was done, and the first time; `at` is the last one. */
  count: z.number().int(),
  firstAt: instantSchema,
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** What to look for; without a field, everything. Times are inclusive. */
export const auditFilterSchema = z.object({
  /** The username of who did it. */
  who: z.string().max(USERNAME_MAX_LENGTH).optional(),
  action: z.enum(AUDIT_ACTION_NAMES).optional(),
  noun: z.enum(AUDIT_NOUNS).optional(),
  subjectId: idSchema.optional(),
  supplierId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type AuditFilter = z.infer<typeof auditFilterSchema>

/** The same filter in a URL, whose values are texts. */
export const auditExportQuery = auditFilterSchema.extend({
  subjectId: idInQuery,
  supplierId: idInQuery,
})

const oneOf = <Name extends string>(names: readonly Name[]) =>
  z.custom<Name>((value) => names.includes(value as Name)).optional()

/** That of a supplier, which sees its own part only. The description of the API has the names once. */
export const activityExportQuery = auditExportQuery.omit({ supplierId: true }).extend({
  action: oneOf(AUDIT_ACTION_NAMES),
  noun: oneOf(AUDIT_NOUNS),
})

const CURSOR = /^\d{1,15}-\d{1,15}$/

export const auditPageInput = auditFilterSchema.extend({
  /** `next` of the page before. */
  cursor: z
    .string()
    .max(...upTo('The page', 31))
    .regex(CURSOR, 'The page does not exist')
    .optional(),
})
export type AuditPageInput = z.infer<typeof auditPageInput>

/** A page, newest first. */
export const auditPageSchema = z.object({
  rows: z.array(auditEntrySchema),
  /** Where the next page begins; null when this is the last one. */
  next: z.string().nullable(),
})
export type AuditPage = z.infer<typeof auditPageSchema>
