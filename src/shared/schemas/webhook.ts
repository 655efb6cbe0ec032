import { z } from 'zod'

import { ALERT_KINDS } from '../alerts'
import { alertKindSchema } from './alert'
import { boundedList } from './bounds'
import { idSchema, instantSchema, receiverUrlSchema } from './primitives'

const webhookSettings = z.object({
  url: receiverUrlSchema,
  kinds: boundedList(alertKindSchema, {
    error: 'Choose what it is told',
    max: ALERT_KINDS.length,
    tooMany: 'Choose each kind once',
  }).refine((kinds) => kinds.length > 0, 'Choose what it is told'),
  isActive: z.boolean(),
})

export const createWebhookInput = webhookSettings
export const updateWebhookInput = webhookSettings.extend({ id: idSchema })

export const webhookSchema = z.object({
  id: idSchema,
  url: z.string(),
  kinds: alertKindSchema.array(),
  isActive: z.boolean(),
  /** When it was switched off because it had failed for a day; null unless it still is. */
  switchedOffAt: instantSchema.nullable(),
  createdAt: instantSchema,
  /** What became of the newest request that was answered or failed; null before the first. */
  last: z.object({ isDelivered: z.boolean(), answer: z.string() }).nullable(),
})
export type Webhook = z.infer<typeof webhookSchema>

/** The secret is shown once. */
export const newWebhookSchema = z.object({ id: idSchema, secret: z.string() })

/** A request to a webhook: one event, with all its attempts. */
export const webhookLogEntrySchema = z.object({
  id: idSchema,
  kind: z.enum([...ALERT_KINDS, 'test']),
  title: z.string(),
  createdAt: instantSchema,
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number().int(),
  lastAttemptAt: instantSchema.nullable(),
  nextAttemptAt: instantSchema.nullable(),
  answer: z.string().nullable(),
})
export type WebhookLogEntry = z.infer<typeof webhookLogEntrySchema>
