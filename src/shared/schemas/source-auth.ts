import { z } from 'zod'

import { describePrivateKeyProblem } from '../private-key'
import { upTo } from './bounds'

/** The kinds of credentials for a source. */
export const SOURCE_AUTH_TYPES = ['none', 'basic', 'bearer', 'header', 's3', 'ssh-key'] as const
export type SourceAuthType = (typeof SOURCE_AUTH_TYPES)[number]

/** Replaces secrets in responses. When sent back, or left out, the stored secret is kept. */
export const SECRET_MASK = '••••••'

/** The label of the secret of each kind of credentials. */
export const SECRET_LABELS = {
  basic: 'Password',
  bearer: 'Token',
  header: 'Header value',
  s3: 'Secret key',
  'ssh-key': 'Private key',
} as const

/** The field that holds the secret of each kind of credentials. */
export const SECRET_FIELDS = {
  basic: 'password',
  bearer: 'token',
  header: 'value',
  s3: 'secretAccessKey',
  'ssh-key': 'privateKey',
} as const

/** The region of buckets at servers that have none. */
export const DEFAULT_REGION = 'us-east-1'

const NAME_MAX_LENGTH = 256
const SECRET_MAX_LENGTH = 4_096

const CONTROL = /\p{Cc}/u
/** A field name as in RFC 9110. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** A header value: one line of Latin-1. */
const HEADER_VALUE = /^[\x20-\x7E\xA0-\xFF]+$/
const TOKEN = /^[\x21-\x7E]+$/

/** Headers that control the request or are set by the fetcher; so is every `proxy-…`. */
const RESERVED_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
])

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text)
}

function isReserved(name: string): boolean {
  const key = name.toLowerCase()
  return RESERVED_HEADERS.has(key) || key.startsWith('proxy-')
}

/** Whether the stored secret is to be kept. */
export function isUnchanged(secret: string | undefined): secret is undefined | typeof SECRET_MASK {
  return secret === undefined || secret === SECRET_MASK
}

/** RFC 7617: a user name has no colon, and neither it nor the password has control characters. */
const usernameSchema = z
  .string({ error: 'User name is required' })
  .trim()
  .min(1, 'User name is required')
  .max(...upTo('User name', NAME_MAX_LENGTH))
  .refine((name) => !name.includes(':'), 'User name must not contain a colon')
  .refine(isPlainText, 'User name contains characters that are not allowed')

const headerNameSchema = z
  .string({ error: 'Header name is required' })
  .trim()
  .min(1, 'Header name is required')
  .max(...upTo('Header name', NAME_MAX_LENGTH))
  .refine((name) => HEADER_NAME.test(name), 'Header name must be one word, such as X-Api-Key')
  .refine((name) => !isReserved(name), 'This header name cannot be used: choose another one')

/** Spaces around a token or header value are never part of it; in a password they may be. */
const trimmed = (text: unknown) => (typeof text === 'string' ? text.trim() : text)

function secretSchema(label: string, isAllowed: (text: string) => boolean, hint: string) {
  return z
    .string({ error: `${label} is required` })
    .min(1, `${label} is required`)
    .max(...upTo(label, SECRET_MAX_LENGTH))
    .refine((text) => isUnchanged(text) || isAllowed(text), `${label} ${hint}`)
    .optional()
}

const passwordSchema = secretSchema(
  SECRET_LABELS.basic,
  isPlainText,
  'contains characters that are not allowed',
)
const tokenSchema = z.preprocess(
  trimmed,
  secretSchema(
    SECRET_LABELS.bearer,
    (text) => TOKEN.test(text),
    'must be one word, without Bearer before it',
  ),
)
const headerValueSchema = z.preprocess(
  trimmed,
  secretSchema(
    SECRET_LABELS.header,
    (text) => HEADER_VALUE.test(text),
    'contains characters that are not allowed',
  ),
)

const accessKeySchema = z
  .string({ error: 'Access key is required' })
  .trim()
  .min(1, 'Access key is required')
  .max(...upTo('Access key', NAME_MAX_LENGTH))
  .refine((key) => TOKEN.test(key), 'Access key must be one word, such as AKIAIOSFODNN7EXAMPLE')

const regionSchema = z
  .string({ error: 'Region is required' })
  .trim()
  .regex(/^[a-z\d-]{1,40}$/, `Enter a region, for example ${DEFAULT_REGION}`)

const endpointSchema = z.preprocess(
  (text) => (typeof text === 'string' && text.trim() === '' ? undefined : text),
  z
    .string()
    .trim()
    .max(...upTo('Endpoint', NAME_MAX_LENGTH))
    .refine(
      isWebOrigin,
      'Enter the address of the server alone, for example https://s3.example.com',
    )
    .optional(),
)

function isWebOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

const secretKeySchema = z.preprocess(
  trimmed,
  secretSchema(SECRET_LABELS.s3, (text) => TOKEN.test(text), 'must be one word'),
)

/** Longer than a key of RSA with 16,384 bits. */
const PRIVATE_KEY_MAX_LENGTH = 16_384

const privateKeySchema = z.preprocess(
  trimmed,
  z
    .string({ error: 'Private key is required' })
    .min(1, 'Private key is required')
    .max(...upTo('Private key', PRIVATE_KEY_MAX_LENGTH))
    .superRefine((text, context) => {
      const problem = isUnchanged(text) ? undefined : describePrivateKeyProblem(text)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    })
    .optional(),
)

const passphraseSchema = z
  .string()
  .max(...upTo('Passphrase', NAME_MAX_LENGTH))
  .refine(isPlainText, 'Passphrase contains characters that are not allowed')
  .optional()

/** Credentials in the input of a connection. */
export const sourceAuthInput = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('none') }),
    z.object({ type: z.literal('basic'), username: usernameSchema, password: passwordSchema }),
    z.object({ type: z.literal('bearer'), token: tokenSchema }),
    z.object({ type: z.literal('header'), name: headerNameSchema, value: headerValueSchema }),
    z.object({
      type: z.literal('s3'),
      accessKeyId: accessKeySchema,
      secretAccessKey: secretKeySchema,
      region: regionSchema,
      endpoint: endpointSchema,
    }),
    z.object({
      type: z.literal('ssh-key'),
      username: usernameSchema,
      privateKey: privateKeySchema,
      /** Of the private key, which is stored without it. */
      passphrase: passphraseSchema,
    }),
  ],
  { error: `Access must be one of ${SOURCE_AUTH_TYPES.join(', ')}` },
)
export type SourceAuthInput = z.infer<typeof sourceAuthInput>

const masked = z.literal(SECRET_MASK)

/** Credentials in responses, where only masked secrets are valid. */
export const maskedSourceAuthSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('basic'), username: z.string(), password: masked }),
  z.object({ type: z.literal('bearer'), token: masked }),
  z.object({ type: z.literal('header'), name: z.string(), value: masked }),
  z.object({
    type: z.literal('s3'),
    accessKeyId: z.string(),
    secretAccessKey: masked,
    region: z.string(),
    endpoint: z.string().optional(),
  }),
  z.object({ type: z.literal('ssh-key'), username: z.string(), privateKey: masked }),
])
export type MaskedSourceAuth = z.infer<typeof maskedSourceAuthSchema>
