import { z } from 'zod'

import { MAX_LOGIN_KEYS } from '../constants'
import { idSchema, instantSchema } from './primitives'

/** The longest text of keys that is read, and the longest line in it. */
export const MAX_KEYS_LENGTH = 32_768
export const MAX_KEY_LINE_LENGTH = 8_192

const keyFields = {
  /** As its public half begins: `ssh-ed25519`. */
  type: z.string(),
  /** `SHA256:` and 43 characters, as OpenSSH shows it. */
  fingerprint: z.string(),
}

/** A public key by which a login signs in. */
const loginKeySchema = z.object({
  ...keyFields,
  /** What its owner calls it. */
  comment: z.string(),
})
export type LoginKey = z.infer<typeof loginKeySchema>

/** A login for our SFTP server, without its password. */
export const sftpLoginSchema = z.object({
  username: z.string(),
  /** The last characters of its password; null without one. */
  passwordEnd: z.string().nullable(),
  publicKeys: z.array(loginKeySchema),
  createdAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
  /** The program that used it last, such as `OpenSSH`. */
  lastClient: z.string().nullable(),
})
export type SftpLogin = z.infer<typeof sftpLoginSchema>

/** Where our SFTP server is, and the keys by which it is known. */
const sftpServerSchema = z.object({
  host: z.string(),
  port: z.number().int(),
  hostKeys: z.array(z.object(keyFields)),
})
export type SftpServer = z.infer<typeof sftpServerSchema>

/** How files are put or fetched by SFTP. */
export const sftpAccessSchema = z.object({
  /** Null where there is no SFTP server. */
  server: sftpServerSchema.nullable(),
  /** Null before one was made. */
  login: sftpLoginSchema.nullable(),
})
export type SftpAccess = z.infer<typeof sftpAccessSchema>

const passwordSchema = z.enum(['new', 'none'], 'Choose new or none')

const keysSchema = z
  .string()
  .max(MAX_KEYS_LENGTH, 'This is too long for public keys')
  .describe('Public keys: lines as in authorized_keys, RFC 4716 or PEM')

/** Without keys a password is made. */
export const createSftpLoginInput = z.object({
  id: idSchema,
  password: passwordSchema.optional(),
  addKeys: keysSchema.optional(),
})
export type CreateSftpLoginInput = z.infer<typeof createSftpLoginInput>

/** What is left out stays as it is. */
export const changeSftpLoginInput = createSftpLoginInput.extend({
  removeKeys: z.array(z.string().max(100)).max(MAX_LOGIN_KEYS).optional().describe('Fingerprints'),
})
export type ChangeSftpLoginInput = z.infer<typeof changeSftpLoginInput>

export const changedSftpLoginSchema = z.object({
  username: z.string(),
  /** The new password, which cannot be read again; null unless one was made. */
  password: z.string().nullable(),
})
export type ChangedSftpLogin = z.infer<typeof changedSftpLoginSchema>
