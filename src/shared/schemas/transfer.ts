import { z } from 'zod'

import { boundedList, upTo } from './bounds'

const MAX_HOST_KEYS = 10
/** In characters: a public key of RSA with 16,384 bits, and its comment. */
const MAX_HOST_KEY_LENGTH = 4_096

const FINGERPRINT = /SHA256:[A-Za-z\d+/]{43}/
const PUBLIC_KEY = /(?:^|\s)(?:ssh-|ecdsa-sha2-)\S{1,40} AAAA[A-Za-z\d+/]+={0,2}/

/** A key by which a server is known: its fingerprint, alone or as programs show it, or the public key itself. */
const hostKeySchema = z
  .string({ error: 'A key of the server must be a text' })
  .trim()
  .max(...upTo('Key of a server', MAX_HOST_KEY_LENGTH))
  .refine(
    (text) => FINGERPRINT.test(text) || PUBLIC_KEY.test(text),
    'Enter the fingerprint of the server’s key, which begins with SHA256:, or its public key',
  )

/** What becomes of a file at its server once it was read, and published or decided against. */
const AFTER_READING = ['leave', 'move', 'delete'] as const
const NO_PATH = /[\p{Cc}*]/u

export const afterReadingSchema = z.discriminatedUnion(
  'action',
  [
    z.object({ action: z.literal('leave') }),
    z.object({
      action: z.literal('move'),
      /** Beside the file, unless it begins with a slash. */
      folder: z
        .string({ error: 'Enter the folder that files are moved into' })
        .trim()
        .min(1, 'Enter the folder that files are moved into')
        .max(...upTo('Folder', 500))
        .refine((path) => !NO_PATH.test(path), 'Folder contains characters that are not allowed'),
    }),
    z.object({ action: z.literal('delete') }),
  ],
  { error: `afterReading must be one of ${AFTER_READING.join(', ')}` },
)
export type AfterReading = z.infer<typeof afterReadingSchema>

/** How files are fetched from a server of SFTP or FTP. */
export const transferSchema = z.object({
  /** Of SFTP: the keys by which the server is known, such as `ssh-ed25519 SHA256:…`. */
  hostKeys: z.array(z.string()),
  /** Of `ftp://`: whether the connection changes to TLS before anything is said. */
  usesTls: z.boolean(),
  /** Whether methods are accepted that are not safe any more, for servers that know no others. */
  allowsOld: z.boolean(),
  /** Whether the name of the file has a `*`, so that the newest file is read that fits it. */
  hasPattern: z.boolean().default(false),
  afterReading: afterReadingSchema.default({ action: 'leave' }),
})
export type Transfer = z.infer<typeof transferSchema>

/** What is left out stays as it is stored, as long as the server is the same. */
export const transferInput = z.object({
  hostKeys: boundedList(hostKeySchema, {
    error: 'hostKeys must be a list',
    max: MAX_HOST_KEYS,
    tooMany: `A server is known by at most ${MAX_HOST_KEYS} keys`,
  }).optional(),
  usesTls: z.boolean({ error: 'usesTls must be true or false' }).optional(),
  allowsOld: z.boolean({ error: 'allowsOld must be true or false' }).optional(),
  afterReading: afterReadingSchema.optional(),
})
export type TransferInput = z.infer<typeof transferInput>

/** With nothing said: nobody has confirmed a key, and what is unsafe is off. */
export const DEFAULT_TRANSFER: Transfer = {
  hostKeys: [],
  usesTls: true,
  allowsOld: false,
  hasPattern: false,
  afterReading: { action: 'leave' },
}
