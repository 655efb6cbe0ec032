import { z } from 'zod'

import { instantSchema } from './primitives'

/** What is known of an address or a link that works without signing in, without its secret part. */
export const secretLinkFields = {
  id: z.number(),
  /** The last characters of its token. */
  tokenEnd: z.string(),
  createdAt: instantSchema,
  /** When it ends because a newer one has replaced it; null for the newest. */
  expiresAt: instantSchema.nullable(),
  lastUsedAt: instantSchema.nullable(),
  /** The program that used it last, such as `curl`. */
  lastClient: z.string().nullable(),
}
export const secretLinkSchema = z.object(secretLinkFields)
export type SecretLink = z.infer<typeof secretLinkSchema>
