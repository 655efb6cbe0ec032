import { z } from 'zod'

import { WEB_METHODS } from '../../../shared/destinations'

const MAX_ADDRESS_LENGTH = 16 * 1024
const MAX_KEY_LENGTH = 64 * 1024
const text = (most: number) => z.string().max(most)

const headerSchema = z.object({ name: text(200), value: text(MAX_ADDRESS_LENGTH) })

/** What the process that sends is told of a file. It has no key pair of a bucket: addresses there are signed. */
export const sendRequestSchema = z.object({
  address: text(MAX_ADDRESS_LENGTH),
  fileName: text(255),
  mediaType: text(200),
  sizeBytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[\da-f]{64}$/),
  method: z.enum(WEB_METHODS),
  idempotencyKey: text(200),
  isRepeat: z.boolean(),
  isTrial: z.boolean(),
  credentials: headerSchema.optional(),
  server: z
    .object({
      login: z
        .object({
          username: text(MAX_ADDRESS_LENGTH),
          password: text(MAX_ADDRESS_LENGTH).optional(),
          privateKey: text(MAX_KEY_LENGTH).optional(),
        })
        .optional(),
      hostKeys: z.array(text(MAX_ADDRESS_LENGTH)).max(100),
      usesTls: z.boolean(),
      allowsOld: z.boolean(),
    })
    .optional(),
  /** The file in its bucket. */
  signed: z
    .object({
      putUrl: text(MAX_ADDRESS_LENGTH),
      /** What was signed with it. */
      putHeaders: z.array(headerSchema).max(10),
      deleteUrl: text(MAX_ADDRESS_LENGTH),
    })
    .optional(),
})
export type SendRequest = z.infer<typeof sendRequestSchema>
