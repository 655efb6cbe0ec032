import { z } from 'zod'

import { ALERT_KINDS, ALERT_WAYS, NOTICE_KINDS } from '../alerts'
import { digestChoiceSchema, digestContentSchema } from './digest'
import { emailSchema, idSchema, instantSchema } from './primitives'

export const alertKindSchema = z.enum(ALERT_KINDS, 'This kind is not known')

/** What is told of an event besides its kind and subject: names as they were then, reason and numbers. */
export const eventDetailsSchema = z.object({
  supplierName: z.string().optional(),
  connectionName: z.string().optional(),
  storeName: z.string().optional(),
  /** The host of a webhook. */
  webhookHost: z.string().optional(),
  /** What a retailer calls where its file is sent to. */
  destinationName: z.string().optional(),
  /** The name of a backup. */
  backupName: z.string().optional(),
  /** Who does not get it by mail any more. */
  personName: z.string().optional(),
  /** In a sentence, with its numbers. */
  reason: z.string().optional(),
  rowCount: z.number().int().optional(),
  /**
   * When a late file was last known to be current, a silent retailer last read, or a stopped scheduler last
   * worked; Unix milliseconds.
   */
  since: z.number().optional(),
  /** When a company is to be deleted, in Unix milliseconds. */
  until: z.number().optional(),
  /** It is about files that are sent by hand, and not about an address. */
  isByHand: z.boolean().optional(),
  /** Only retailers are told, because the others know the cause. */
  isForRetailersOnly: z.boolean().optional(),
  /** By what somebody signed in, and from which client address. */
  program: z.string().optional(),
  clientAddress: z.string().optional(),
  /** The API keys that were made or expire, or the passkeys that were added, removed or refused. */
  keyNames: z.array(z.string()).optional(),
  /** The stores whose feed addresses expire, or have another protection. */
  storeNames: z.array(z.string()).optional(),
  /** Nobody else is told. */
  onlyUserId: z.number().int().optional(),
  /** What a digest tells. */
  digest: digestContentSchema.optional(),
  /** The retailer had no feed address before. */
  isFirst: z.boolean().optional(),
  /** The recovery of a late file, of which retailers had been told. */
  wasLate: z.boolean().optional(),
})
export type EventDetails = z.infer<typeof eventDetailsSchema>

const alertWaySchema = z.enum(ALERT_WAYS, 'This way is not known')

/** An event in the list of whoever is told of it. */
const notificationSchema = z.object({
  id: idSchema,
  kind: z.enum([...ALERT_KINDS, ...NOTICE_KINDS]),
  title: z.string(),
  text: z.string(),
  /** The page on which its subject is. */
  path: z.string(),
  createdAt: instantSchema,
  isRead: z.boolean(),
})
export type Notification = z.infer<typeof notificationSchema>

export const notificationListSchema = z.object({
  notifications: notificationSchema.array(),
  /** Up to `MAX_UNREAD`. */
  unreadCount: z.number().int(),
})

/** Without an id, all. */
export const readNotificationsInput = z.object({ id: idSchema.optional() })

/** How the caller is told of each kind that concerns it. */
export const alertChoicesSchema = z.object({
  choices: z.array(
    z.object({
      kind: alertKindSchema,
      isWanted: z.object({ bell: z.boolean(), mail: z.boolean() }),
    }),
  ),
  /** null for whom there are none. */
  digest: digestChoiceSchema.nullable(),
  mail: z.object({
    /** Whether the product can send e-mail. */
    isAvailable: z.boolean(),
    /** Confirmed. */
    address: z.string().nullable(),
    /** Waits for its link to be opened. */
    pendingAddress: z.string().nullable(),
  }),
})
export type AlertChoices = z.infer<typeof alertChoicesSchema>

export const alertChoiceInput = z.object({
  kind: alertKindSchema,
  way: alertWaySchema,
  isWanted: z.boolean(),
})

export const mailAddressInput = z.object({ address: emailSchema })

/** The token of the link that was mailed. */
export const confirmAddressInput = z.object({ token: z.string().max(100) })
