import { z } from 'zod'

/** Of the listener for mails. */
export const smtpSettingsSchema = z.object({
  host: z.string(),
  port: z.number().int(),
  /** By which it names itself. */
  name: z.string(),
  /** Networks from which connections are accepted; none: from all. */
  networks: z.array(z.string()),
  /** In PEM; without one, connections are not encrypted. */
  certificate: z.object({ cert: z.string(), key: z.string() }).nullable(),
})
export type SmtpSettings = z.infer<typeof smtpSettingsSchema>

const tokenSettingsSchema = z.object({
  url: z.string(),
  clientId: z.string(),
  clientSecret: z.string().nullable(),
  /** What a person has granted; without one, the client acts for itself. */
  refreshToken: z.string().nullable(),
  scope: z.string().nullable(),
})
export type TokenSettings = z.infer<typeof tokenSettingsSchema>

/** Where mails are read. It is told to the process that needs it, and to no other. */
export const imapSettingsSchema = z.object({
  host: z.string(),
  port: z.number().int(),
  /** `tls` from the start, or after a plain beginning; `none` only on this machine. */
  security: z.enum(['tls', 'starttls', 'none']),
  username: z.string(),
  password: z.string().nullable(),
  /** By which access tokens are fetched, instead of a password. */
  tokens: tokenSettingsSchema.nullable(),
  folder: z.string(),
  /** Where settled mails are moved; null: they stay, and are marked as seen. */
  doneFolder: z.string().nullable(),
})
export type ImapSettings = z.infer<typeof imapSettingsSchema>
