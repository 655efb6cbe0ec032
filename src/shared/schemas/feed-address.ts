import { z } from 'zod'

import { instantSchema } from './primitives'

/** An address from which a shop reads its file, without the secret part. */
export const feedAddressSchema = z.object({
  id: z.number(),
  /** The last characters of its token. */
  tokenEnd: z.string(),
  createdAt: instantSchema,
  /** When it ends because a newer address has replaced it; null for the newest. */
  expiresAt: instantSchema.nullable(),
  lastUsedAt: instantSchema.nullable(),
  /** The program that used it last, such as `curl`. */
  lastClient: z.string().nullable(),
})
export type FeedAddress = z.infer<typeof feedAddressSchema>

/** A new address. Only its hash is stored, so it is shown once. */
export const newFeedAddressSchema = z.object({
  /** The path: /feeds/{token}/inventory.csv. It may also end in another name of `FEED_FILE_NAMES`. */
  path: z.string(),
})
export type NewFeedAddress = z.infer<typeof newFeedAddressSchema>
