import { z } from 'zod'

import { READ_REFUSALS } from '../address-protection'
import { networksSchema } from './networks'
import { idSchema, instantSchema } from './primitives'
import { secretLinkFields } from './secret-link'

/** An address from which a shop reads its file, without the secret part. */
export const feedAddressSchema = z.object({
  ...secretLinkFields,
  /** The last four characters of its password; null without one. */
  passwordEnd: z.string().nullable(),
  /** The networks that it may be read from; empty for any. */
  networks: z.array(z.string()),
  /** When it expires, or has; null for never. */
  validUntil: instantSchema.nullable(),
  /** The last read that was refused; null before the first one. */
  lastRefusal: z
    .object({
      at: instantSchema,
      reason: z.enum(READ_REFUSALS),
      client: z.string().nullable(),
      /** The client address. */
      from: z.string().nullable(),
    })
    .nullable(),
})
export type FeedAddress = z.infer<typeof feedAddressSchema>

/** A new address. Only its hash is stored, so it is shown once. */
export const newFeedAddressSchema = z.object({
  /** The path: /feeds/{token}/inventory.csv. It may also end in another name of `FEED_FILE_NAMES`. */
  path: z.string(),
})
export type NewFeedAddress = z.infer<typeof newFeedAddressSchema>

/** What is left out stays as it is. */
export const protectFeedAddressInput = z.object({
  id: idSchema,
  password: z.enum(['new', 'none'], 'Choose new or none').optional(),
  networks: networksSchema.optional(),
  validUntil: z.iso.datetime('This is not a time').nullish(),
})
export type ProtectFeedAddressInput = z.infer<typeof protectFeedAddressInput>

export const newProtectionSchema = z.object({
  /** The new password, which cannot be read again; null unless one was asked for. */
  password: z.string().nullable(),
})
export type NewProtection = z.infer<typeof newProtectionSchema>
