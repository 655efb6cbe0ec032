import { z } from 'zod'

import { secretLinkFields } from './secret-link'

/** An address from which a shop reads its file, without the secret part. */
export const feedAddressSchema = z.object(secretLinkFields)
export type FeedAddress = z.infer<typeof feedAddressSchema>

/** A new address. Only its hash is stored, so it is shown once. */
export const newFeedAddressSchema = z.object({
  /** The path: /feeds/{token}/inventory.csv. It may also end in another name of `FEED_FILE_NAMES`. */
  path: z.string(),
})
export type NewFeedAddress = z.infer<typeof newFeedAddressSchema>
