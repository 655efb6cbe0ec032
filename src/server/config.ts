import { join, resolve } from 'node:path'

import { z } from 'zod'

import packageJson from '../../package.json'
import { URL_MAX_LENGTH } from '../shared/constants'
import { usernameSchema, newPasswordSchema } from '../shared/schemas/primitives'
import { toDatabasePlace } from './db/database-place'
import { parseFetchAllow, withoutBrackets } from './files/fetch/address-rules'
import { isTrustworthyIssuer, toOidcSettings } from './identity/oidc-settings'
import { codeOf } from './process/error-code'
import { parseEncryptionKey } from './secrets/secret-box'
import { readVariableFiles } from './secrets/variable-files'
import { BUCKET_URL, hasBucketKeys, toBucketPlace } from './storage/s3/bucket-place'
import { originAddress, serverAddress } from './web-address'

/** The commit that was built, or empty if unknown; the build puts it in, and without one it is not defined. */
declare const REVISION: string | undefined

/** `""` counts as unset, so that a line such as `REDIS_URL=` in `.env` changes nothing. */
const unsetWhenEmpty = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(unsetWhenEmpty, schema)

const wholeNumber = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine(
      (value) => value >= minimum && value <= maximum,
      `must be between ${minimum} and ${maximum}`,
    )

/** A name or an address; an IPv6 address may be in the brackets that it has in a URL. */
const host = z.string().transform(withoutBrackets)

const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((value) => value === 'true')

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

/** Checked here, so that an invalid entry is reported together with all other invalid variables. */
const fetchAllow = list.superRefine((entries, context) => {
  try {
    parseFetchAllow(entries)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
})

const encryptionKey = z.string().transform((text, context) => {
  const key = parseEncryptionKey(text)
  if (key) return key
  context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64 or hexadecimal' })
  return z.NEVER
})

const sessionSecret = z.string().min(32, 'must have at least 32 characters')

const PROXY = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

const proxies = list.superRefine((entries, context) => {
  for (const entry of entries.filter((candidate) => !PROXY.safeParse(candidate).success)) {
    const message = `"${entry}" is neither an IP address nor a CIDR range, such as 10.0.0.0/8`
    context.addIssue({ code: 'custom', message })
  }
})

const MIB = 1024 * 1024
const MAIL_FROM_MAX_LENGTH = 500

const bucketUrl = z
  .string()
  .regex(BUCKET_URL, 'must be s3:// and a bucket, and may have a prefix: s3://bucket/prefix')

const variables = z.object({
  NODE_ENV: optional(z.enum(['development', 'production', 'test']).default('production')),
  HOST: optional(host.default('127.0.0.1')),
  PORT: optional(wholeNumber(0, 65_535).default(3000)),
  PUBLIC_URL: optional(originAddress.optional()),
  APP_NAME: optional(z.string().max(100).default('Stockbridge')),
  DATA_DIR: optional(z.string().default('data')),
  DATABASE_URL: optional(
    z
      .string()
      .regex(
        /^(?:sqlite:.|postgres(?:ql)?:\/\/.)/,
        'must be sqlite: and the name of a file, or a postgres:// address',
      )
      .optional(),
  ),
  STORAGE_URL: optional(bucketUrl.optional()),
  BACKUP_URL: optional(bucketUrl.optional()),
  S3_ENDPOINT: optional(serverAddress().optional()),
  S3_REGION: optional(z.string().default('us-east-1')),
  S3_ACCESS_KEY_ID: optional(z.string().optional()),
  S3_SECRET_ACCESS_KEY: optional(z.string().optional()),
  MAX_CACHE_BYTES: optional(wholeNumber(1).default(10 * 1024 * MIB)),
  DOWNLOADS: optional(
    z.enum(['direct', 'redirect'], { error: 'must be direct or redirect' }).default('direct'),
  ),
  REDIS_URL: optional(
    z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' }).optional(),
  ),
  WORKER: optional(z.enum(['inline', 'off'], { error: 'must be inline or off' }).default('inline')),
  WORKER_CONCURRENCY: optional(wholeNumber(1, 64).default(4)),
  WORKER_PORT: optional(wholeNumber(0, 65_535).default(3001)),
  METRICS_HOST: optional(host.default('127.0.0.1')),
  METRICS_PORT: optional(wholeNumber(0, 65_535).optional()),
  STALLED_AFTER_SECONDS: optional(wholeNumber(5, 86_400).default(300)),
  SESSION_SECRET: optional(sessionSecret.optional()),
  SESSION_SECRET_PREVIOUS: optional(sessionSecret.optional()),
  ENCRYPTION_KEY: optional(encryptionKey.optional()),
  ENCRYPTION_KEY_PREVIOUS: optional(encryptionKey.optional()),
  ADMIN_USERNAME: optional(usernameSchema.default('admin')),
  ADMIN_PASSWORD: optional(newPasswordSchema.optional()),
  ALLOW_SIGNUP: optional(flag.default(true)),
  OIDC_ISSUER: optional(serverAddress('must be an https address').optional()),
  OIDC_CLIENT_ID: optional(z.string().optional()),
  OIDC_CLIENT_SECRET: optional(z.string().optional()),
  OIDC_ALLOW_LOOPBACK: optional(flag.default(false)),
  SMTP_URL: optional(
    z
      .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })
      .max(URL_MAX_LENGTH)
      .optional(),
  ),
  MAIL_FROM: optional(
    z
      .string()
      .max(MAIL_FROM_MAX_LENGTH)
      .refine(
        (text) => text.includes('@') && !/[\r\n]/.test(text),
        'must be an e-mail address, with or without a name',
      )
      .optional(),
  ),
  FETCH_ALLOW: optional(fetchAllow.default([])),
  MAX_FILE_BYTES: optional(wholeNumber(1).default(256 * MIB)),
  MAX_STORAGE_PER_SUPPLIER: optional(wholeNumber(1).default(5 * 1024 * MIB)),
  MIN_FREE_BYTES: optional(wholeNumber(0).optional()),
  TRUST_PROXY: optional(proxies.default([])),
  CALL_LIMITS: optional(z.enum(['on', 'off'], { error: 'must be on or off' }).default('on')),
  LOG_LEVEL: optional(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
})

/** Runs even when single variables are invalid, so that all problems are reported at once. */
const always = { when: () => true }

/** All variables of the product and their defaults. A test compares `.env.example` with this. */
export const environmentSchema = variables
  .refine(
    (env) =>
      !env.OIDC_ISSUER === !env.OIDC_CLIENT_ID && !env.OIDC_ISSUER === !env.OIDC_CLIENT_SECRET,
    {
      ...always,
      path: ['OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET'],
      message: 'all three are needed, or none',
    },
  )
  .refine((env) => !env.SMTP_URL === !env.MAIL_FROM, {
    ...always,
    path: ['SMTP_URL, MAIL_FROM'],
    message: 'both are needed, or none',
  })
  .refine((env) => !(env.STORAGE_URL ?? env.BACKUP_URL) || hasBucketKeys(env), {
    ...always,
    path: ['S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY'],
    message: 'STORAGE_URL and BACKUP_URL need both',
  })
  .refine((env) => env.DOWNLOADS === 'direct' || env.STORAGE_URL, {
    ...always,
    path: ['DOWNLOADS'],
    message: 'redirect needs STORAGE_URL',
  })
  .refine((env) => isTrustworthyIssuer(env), {
    ...always,
    path: ['OIDC_ISSUER'],
    message: 'must be an https address: over http anybody on the way could sign in as anybody',
  })

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {}

/**
 * Validates the environment and returns it as the product's configuration.
 * @throws ConfigError listing all invalid variables
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const env = parseEnvironment(environment)
  const dataDir = resolve(env.DATA_DIR)
  return {
    productVersion: packageJson.version,
    productRevision: typeof REVISION === 'string' && REVISION !== '' ? REVISION : undefined,
    environment: env.NODE_ENV,
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL,
    appName: env.APP_NAME,
    dataDir,
    ...toDatabasePlace(env.DATABASE_URL, dataDir),
    filesDir: join(dataDir, 'files'),
    bucket: toBucketPlace(env.STORAGE_URL, env),
    maxCacheBytes: env.MAX_CACHE_BYTES,
    redirectsDownloads: env.DOWNLOADS === 'redirect',
    backupsDir: join(dataDir, 'backups'),
    backupBucket: toBucketPlace(env.BACKUP_URL, env),
    redisUrl: env.REDIS_URL,
    workerConcurrency: env.WORKER_CONCURRENCY,
    workerPort: env.WORKER_PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    hasInlineWorker: env.WORKER === 'inline',
    stalledAfterMs: env.STALLED_AFTER_SECONDS * 1_000,
    sessionSecret: env.SESSION_SECRET,
    previousSessionSecret: env.SESSION_SECRET_PREVIOUS,
    secretFile: join(dataDir, 'secret'),
    encryptionKey: env.ENCRYPTION_KEY,
    previousEncryptionKey: env.ENCRYPTION_KEY_PREVIOUS,
    encryptionKeyFile: join(dataDir, 'encryption-key'),
    adminUsername: env.ADMIN_USERNAME,
    adminPassword: env.ADMIN_PASSWORD,
    isSignupAllowed: env.ALLOW_SIGNUP,
    oidc: toOidcSettings(env),
    smtp: toSmtpSettings(env),
    fetchAllow: env.FETCH_ALLOW,
    maxFileBytes: env.MAX_FILE_BYTES,
    maxStoragePerSupplierBytes: env.MAX_STORAGE_PER_SUPPLIER,
    minFreeBytes: env.MIN_FREE_BYTES,
    trustProxy: env.TRUST_PROXY,
    hasCallLimits: env.CALL_LIMITS === 'on',
    logLevel: env.LOG_LEVEL,
    proxyVariables: listProxyVariables(environment),
    childEnvironment: pickChildEnvironment(environment),
  }
}

/** The variables passed to the processes that read files: only those of TLS and name lookup. */
const CHILD_VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'OPENSSL_CONF',
  'LD_LIBRARY_PATH',
  'SystemRoot',
]

function pickChildEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    CHILD_VARIABLES.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The variables that name proxies for outgoing connections, as many programs read them; none of these is used. */
function listProxyVariables(environment: NodeJS.ProcessEnv): string[] {
  const names = Object.keys(environment).filter((name) => /^(?:https?|all)_proxy$/i.test(name))
  return names.filter((name) => environment[name]).toSorted()
}

/** Returns undefined when no mail server is configured. */
function toSmtpSettings({ SMTP_URL: url, MAIL_FROM: from }: z.infer<typeof environmentSchema>) {
  return url && from ? { url, from } : undefined
}

/** Loads `.env` from the working directory into the environment; variables already set win. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function parseEnvironment(environment: NodeJS.ProcessEnv) {
  const { values, problems } = readVariableFiles(environment, Object.keys(variables.shape))
  const parsed = environmentSchema.safeParse(values)
  for (const { path, message } of parsed.error?.issues ?? []) {
    problems.push(`${path.join('.')}: ${message}`)
  }
  if (parsed.success && problems.length === 0) return parsed.data
  throw new ConfigError(`The configuration is not valid:\n  ${problems.join('\n  ')}`)
}
