import { z } from 'zod'

import { URL_MAX_LENGTH } from '../shared/constants'
import { usernameSchema, newPasswordSchema } from '../shared/schemas/primitives'
import { toNetwork } from './domain/networks'
import { parseFetchAllow, withoutBrackets } from './files/fetch/address-rules'
import { parseEgressProxy } from './files/fetch/egress-proxy'
import { isTrustworthyIssuer } from './identity/oidc-settings'
import { parseImapUrl } from './inbox/mail/imap-url'
import { parseEncryptionKey } from './secrets/secret-box'
import { BUCKET_URL, hasBucketKeys } from './storage/s3/bucket-place'
import { originAddress, serverAddress } from './web-address'

/** `""` counts as unset, so that a line such as `REDIS_URL=` in `.env` changes nothing. */
const unsetWhenEmpty = (value: unknown) => (value === '' ? undefined : value)

/** What of a value may be shown: all, an address without the login in it, or only that it is set. */
export type SettingPrivacy = 'open' | 'login' | 'secret'

/** What is stated of a variable besides what it may be. */
export type SettingFacts = { purpose: string; example: string; privacy: SettingPrivacy }

const declare =
  (privacy: SettingPrivacy) =>
  <T extends z.ZodType>(schema: T, purpose: string, example = '') =>
    z.preprocess(unsetWhenEmpty, schema).meta({ purpose, example, privacy } satisfies SettingFacts)

/** A variable: what it may be, its purpose, and an example if it has no default. */
const setting = declare('open')
/** A variable that is an address, in which there may be a login. */
const address = declare('login')
/** A variable of which nobody is shown more than that it is set. */
const secret = declare('secret')

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

/** As OpenTelemetry has them: names and percent-encoded values. */
const otlpHeaders = z.string().transform((text, context): [name: string, value: string][] => {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)\s*=(.*)$/s.exec(pair) ?? [])
  try {
    return pairs.map(([, name, value]) => [name!, decodeURIComponent(value!.trim())])
  } catch {
    context.addIssue({ code: 'custom', message: 'must be name=value, comma-separated' })
    return z.NEVER
  }
})

const encryptionKey = z.string().transform((text, context) => {
  const key = parseEncryptionKey(text)
  if (key) return key
  context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64 or hexadecimal' })
  return z.NEVER
})

/** Whether they can be read is seen when they are used. */
const hostKeys = z
  .string()
  .regex(
    /^-----BEGIN [A-Z ]*PRIVATE KEY-----\n/,
    'must be private keys in the format of OpenSSH or in PEM',
  )

const sessionSecret = z.string().min(32, 'must have at least 32 characters')

const PROXY = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

const proxies = list.superRefine((entries, context) => {
  for (const entry of entries.filter((candidate) => !PROXY.safeParse(candidate).success)) {
    const message = `"${entry}" is neither an IP address nor a CIDR range, such as 10.0.0.0/8`
    context.addIssue({ code: 'custom', message })
  }
})

/** The name of a host, in lower case. */
const hostName = (message: string) =>
  z
    .string()
    .max(253)
    .toLowerCase()
    .regex(/^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,10}$/, message)

const networks = list.transform((entries, context) =>
  entries.flatMap((entry) => {
    const network = toNetwork(entry)
    if (network !== undefined) return [network]
    const message = `"${entry}" is neither an IP address nor a CIDR range, such as 10.0.0.0/8`
    context.addIssue({ code: 'custom', message })
    return []
  }),
)

const certificates = z
  .string()
  .regex(/^\s*-----BEGIN CERTIFICATE-----/, 'must be certificates in PEM')
const privateKey = z
  .string()
  .regex(/^\s*-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'must be a private key in PEM')

const imapUrl = z
  .string()
  .max(URL_MAX_LENGTH)
  .refine(
    (text) => parseImapUrl(text) !== undefined,
    'must be imaps://user:password@host/folder or imap://user:password@host/folder',
  )

const MIN_SECRET_LENGTH = 24
const MIB = 1024 * 1024
const MAIL_FROM_MAX_LENGTH = 500

const bucketUrl = z
  .string()
  .regex(BUCKET_URL, 'must be s3:// and a bucket, and may have a prefix: s3://bucket/prefix')

const variables = z.object({
  NODE_ENV: setting(
    z.enum(['development', 'production', 'test']).default('production'),
    '`production`, or `development`, which `npm run dev` sets',
  ),
  HOST: setting(
    host.default('127.0.0.1'),
    'the address to listen on: `0.0.0.0` is all networks, `::` all of them over IPv6 too',
  ),
  PORT: setting(wholeNumber(0, 65_535).default(3000), 'the port to listen on'),
  PUBLIC_URL: address(
    originAddress.optional(),
    'the public URL, without a path',
    'https://stock.example.com',
  ),
  APP_NAME: setting(
    z.string().max(100).default('Stockbridge'),
    "the product's name on the sign-in page and in the title",
  ),
  DATA_DIR: setting(
    z.string().default('data'),
    'the folder of the database, files, backups and generated keys',
  ),
  DATABASE_URL: address(
    z
      .string()
      .regex(
        /^(?:sqlite:.|postgres(?:ql)?:\/\/.)/,
        'must be sqlite: and the name of a file, or a postgres:// address',
      )
      .optional(),
    '`sqlite:` and a file, or the address of PostgreSQL; if unset, `app.db` in `DATA_DIR`',
    'postgres://stockbridge:password@db.example.com/stockbridge?sslmode=verify-full',
  ),
  STORAGE_URL: address(
    bucketUrl.optional(),
    'the bucket of inventory files; if unset, `files` in `DATA_DIR`',
    's3://bucket/prefix',
  ),
  BACKUP_URL: address(
    bucketUrl.optional(),
    'the bucket of backups, of the same server; if unset, `backups` in `DATA_DIR`',
    's3://other-bucket/prefix',
  ),
  S3_ENDPOINT: address(
    serverAddress().optional(),
    "the address of a server that is not Amazon's",
    'https://s3.example.com',
  ),
  S3_REGION: setting(z.string().default('us-east-1'), 'the region of the buckets'),
  S3_ACCESS_KEY_ID: secret(z.string().optional(), 'the id of the key that may use the buckets'),
  S3_SECRET_ACCESS_KEY: secret(z.string().optional(), 'the secret of that key'),
  MAX_CACHE_BYTES: setting(
    wholeNumber(1).default(10 * 1024 * MIB),
    'how much each machine keeps in `DATA_DIR` of what it writes and reads',
  ),
  DOWNLOADS: setting(
    z
      .enum(['direct', 'redirect', 'nginx'], { error: 'must be direct, redirect or nginx' })
      .default('direct'),
    '`redirect` sends the browsers of people to the bucket, for a minute each; needs `STORAGE_URL`. `nginx` in front sends files over 1 MB from the disk (`deploy/nginx.files.conf`)',
  ),
  REDIS_URL: address(
    z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' }).optional(),
    'Redis 6.2 or newer wakes workers immediately; if unset, they poll once a second',
    'redis://127.0.0.1:6379',
  ),
  WEB_PROCESSES: setting(
    z
      .union([z.literal('auto'), wholeNumber(1, 64)], {
        error: 'must be auto or a whole number up to 64',
      })
      .default(1),
    'web processes on one port, beside the one that does background work; `auto`: one for each processor; Linux only',
  ),
  WORKER: setting(
    z.enum(['inline', 'off'], { error: 'must be inline or off' }).default('inline'),
    '`inline`: the web process also does background work; `off`: only `npm run worker` does',
  ),
  WORKER_CONCURRENCY: setting(
    wholeNumber(1, 64).default(4),
    'syncs that each process with background work runs at once',
  ),
  WORKER_PORT: setting(
    wholeNumber(0, 65_535).default(3001),
    'the port of `npm run worker` for `/healthz`, `/readyz` and `/metrics`',
  ),
  INBOX_PORT: setting(
    wholeNumber(0, 65_535).default(3003),
    'the port of `npm run inbox` for `/healthz`, `/readyz` and `/metrics`',
  ),
  METRICS_HOST: setting(
    host.default('127.0.0.1'),
    'the address of `WORKER_PORT`, `INBOX_PORT` and `METRICS_PORT`: the one at which Prometheus asks',
  ),
  METRICS_PORT: setting(
    wholeNumber(0, 65_535).optional(),
    'the port of the web process for `/metrics`; not served if unset',
    '3002',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(
    serverAddress().optional(),
    'a collector of OpenTelemetry, which is told of traces and metrics over HTTP; if unset, nobody is',
    'http://127.0.0.1:4318',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    otlpHeaders.optional(),
    'headers for it, comma-separated, with which it knows us: `authorization=Bearer%20…`',
  ),
  OTEL_SERVICE_NAME: setting(
    z.string().max(100).default('stockbridge'),
    'what this installation is called there',
  ),
  STALLED_AFTER_SECONDS: setting(
    wholeNumber(5, 86_400).default(300),
    'administrators are told when no process has claimed due work for so long',
  ),
  SESSION_SECRET: secret(
    sessionSecret.optional(),
    'signs session cookies, at least 32 characters; if unset, generated in `DATA_DIR/secret`',
  ),
  SESSION_SECRET_PREVIOUS: secret(
    sessionSecret.optional(),
    'the `SESSION_SECRET` before, whose cookies are still accepted',
  ),
  ENCRYPTION_KEY: secret(
    encryptionKey.optional(),
    'encrypts credentials and addresses of sources, and webhooks: 32 bytes in base64 or hexadecimal; if unset, generated in `DATA_DIR/encryption-key`',
  ),
  ENCRYPTION_KEY_PREVIOUS: secret(
    encryptionKey.optional(),
    'the `ENCRYPTION_KEY` before, which still decrypts and verifies, until `npm run reseal` has run',
  ),
  ADMIN_USERNAME: setting(
    usernameSchema.default('admin'),
    'the administrator that is created in an empty database',
  ),
  ADMIN_PASSWORD: secret(
    newPasswordSchema.optional(),
    'the password of that administrator; if unset, generated and shown once',
  ),
  SETUP: setting(
    z.enum(['terminal', 'browser'], { error: 'must be terminal or browser' }).default('terminal'),
    'how the first administrator is made without `ADMIN_PASSWORD`: `terminal` shows a password once; `browser` shows the address of a page, with a token',
  ),
  ALLOW_SIGNUP: setting(flag.default(true), 'whether suppliers can register themselves'),
  OIDC_ISSUER: address(
    serverAddress('must be an https address').optional(),
    'the issuer, for Sign in with Google',
    'https://accounts.google.com',
  ),
  OIDC_CLIENT_ID: setting(z.string().optional(), 'the web client that is registered at the issuer'),
  OIDC_CLIENT_SECRET: secret(z.string().optional(), 'the secret of that client'),
  OIDC_ALLOW_LOOPBACK: setting(
    flag.default(false),
    'for demos and tests only: accepts an http issuer on loopback',
  ),
  SMTP_URL: address(
    z
      .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })
      .max(URL_MAX_LENGTH)
      .optional(),
    'the mail server, `smtp://user:password@host:587` or `smtps://…`',
    'smtp://localhost:25',
  ),
  MAIL_FROM: setting(
    z
      .string()
      .max(MAIL_FROM_MAX_LENGTH)
      .refine(
        (text) => text.includes('@') && !/[\r\n]/.test(text),
        'must be an e-mail address, with or without a name',
      )
      .optional(),
    'the sender of e-mails',
    'Stockbridge <stock@example.com>',
  ),
  MAIL_INBOX_DOMAIN: setting(
    hostName('must be a domain, such as in.example.com').optional(),
    'the domain of the addresses to which suppliers send files by mail; if unset, there are none',
    'in.example.com',
  ),
  MAIL_AUTH_HOST: setting(
    hostName('must be the name of a host, such as mx.example.com').optional(),
    'the host whose `Authentication-Results` of mails are believed, and which removes those of others that have its name; if unset, none are, and DMARC is not judged',
    'mx.example.com',
  ),
  MAIL_INBOX_SECRET: secret(
    z
      .string()
      .min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`)
      .optional(),
    'the secret with which mails are sent to `POST /inbox/mail`: a password, or `whsec_` and the key of signatures in base64; if unset, none are taken there',
  ),
  SMTP_INBOX_PORT: setting(
    wholeNumber(0, 65_535).optional(),
    'the port at which mails for `MAIL_INBOX_DOMAIN` are taken from the mail server in front; none if unset',
    '2525',
  ),
  SMTP_INBOX_LISTEN: setting(
    host.optional(),
    'the address that it listens on; if unset, that of `HOST`',
  ),
  SMTP_INBOX_ALLOW: setting(
    networks.default([]),
    'networks from which mails are taken there, comma-separated; all if unset',
    '10.0.0.0/8',
  ),
  SMTP_INBOX_CERT: secret(
    certificates.optional(),
    'the certificate with which it offers STARTTLS, in PEM, its issuers after it; not encrypted if unset',
  ),
  SMTP_INBOX_KEY: secret(privateKey.optional(), 'the private key of that certificate, in PEM'),
  IMAP_URL: address(
    imapUrl.optional(),
    'a mailbox from which mails are read: `imaps://user:password@host/INBOX`, or `imap://…`, which begins with STARTTLS; `%40` is an @ in the user',
    'imaps://stock%40example.com:password@imap.example.com/INBOX',
  ),
  IMAP_DONE_FOLDER: setting(
    z.string().max(200).optional(),
    'the folder to which mails are moved once their files are taken; if unset, they stay and are marked as read',
    'Stockbridge',
  ),
  IMAP_TOKEN_URL: address(
    serverAddress('must be an https address').optional(),
    'where access tokens for the mailbox are fetched (OAuth 2), instead of a password',
    'https://oauth2.googleapis.com/token',
  ),
  IMAP_CLIENT_ID: setting(z.string().optional(), 'the client that is registered there'),
  IMAP_CLIENT_SECRET: secret(z.string().optional(), 'the secret of that client'),
  IMAP_REFRESH_TOKEN: secret(
    z.string().optional(),
    'what the owner of the mailbox has granted to that client; if unset, the client acts for itself',
  ),
  IMAP_SCOPE: setting(
    z.string().max(500).optional(),
    'what the token is for',
    'https://outlook.office365.com/.default',
  ),
  SFTP_PORT: setting(
    wholeNumber(0, 65_535).optional(),
    'the port of the SFTP server, to which suppliers send and from which retailers fetch; none if unset',
    '2222',
  ),
  SFTP_HOST: setting(
    host.optional(),
    'the name that people are told for SFTP; if unset, that of `PUBLIC_URL`',
    'sftp.example.com',
  ),
  SFTP_LISTEN: setting(
    host.optional(),
    'the address that SFTP listens on; if unset, that of `HOST`',
  ),
  SFTP_HOST_KEY: secret(
    hostKeys.optional(),
    'the private keys of the SFTP server, in the format of OpenSSH or in PEM, one after the other; if unset, one is generated in `DATA_DIR/sftp-host-key`',
  ),
  INBOX: setting(
    z.enum(['inline', 'off'], { error: 'must be inline or off' }).default('inline'),
    '`inline`: processes with background work also start the SFTP server and what takes mails; `off`: only `npm run inbox` does',
  ),
  FETCH_ALLOW: setting(
    fetchAllow.default([]),
    'private addresses that files may be fetched from and webhooks may call: `host:port`, IP or CIDR',
    '10.1.2.3:8080',
  ),
  FETCH_PROXY: address(
    z
      .string()
      .max(URL_MAX_LENGTH)
      .refine(
        (text) => parseEgressProxy(text) !== undefined,
        'must be http:// or https:// and a proxy, without a path: http://user:password@proxy.example.com:3128',
      )
      .optional(),
    'the proxy through which files are fetched and sent, and webhooks called, at public addresses: `http://user:password@host:3128` or `https://…`; if unset, they are reached without one',
    'http://proxy.example.com:3128',
  ),
  MAX_FILE_BYTES: setting(
    wholeNumber(1).default(256 * MIB),
    'the maximum size of a file after decompression',
  ),
  MAX_STORAGE_PER_SUPPLIER: setting(
    wholeNumber(1).default(5 * 1024 * MIB),
    "the maximum size of all versions of one supplier's file; its retailers' filtered files may take half as much besides, and the history of its items an eighth",
  ),
  MIN_FREE_BYTES: setting(
    wholeNumber(0).optional(),
    'syncs wait while less disk space is free; `0` disables this; if unset, 512 MB or 5 % of the disk, whichever is more',
    '536870912',
  ),
  TRUST_PROXY: setting(
    proxies.default([]),
    'proxies whose `X-Forwarded-*` headers are trusted: addresses or CIDR ranges, comma-separated',
    '127.0.0.1',
  ),
  CALL_LIMITS: setting(
    z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
    '`off` is for installations that limit calls at their proxy',
  ),
  UPDATE_CHECK_URL: address(
    serverAddress().optional(),
    'an address that `npm run doctor` asks for the newest release; if unset, nobody is asked',
    'https://api.github.com/repos/OWNER/stockbridge/releases/latest',
  ),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  ),
})

/** Runs even when single variables are invalid, so that all problems are reported at once. */
const always = { when: () => true }

/** All variables of the product. `npm run settings` describes them in `docs/configuration.md` and `.env.example`. */
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
  .refine((env) => !env.SMTP_INBOX_CERT === !env.SMTP_INBOX_KEY, {
    ...always,
    path: ['SMTP_INBOX_CERT, SMTP_INBOX_KEY'],
    message: 'both are needed, or none',
  })
  .refine((env) => !(env.SMTP_INBOX_PORT ?? env.IMAP_URL) || env.MAIL_INBOX_DOMAIN, {
    ...always,
    path: ['MAIL_INBOX_DOMAIN'],
    message: 'SMTP_INBOX_PORT and IMAP_URL need it',
  })
  .refine((env) => !env.IMAP_TOKEN_URL === !env.IMAP_CLIENT_ID, {
    ...always,
    path: ['IMAP_TOKEN_URL, IMAP_CLIENT_ID'],
    message: 'both are needed, or none',
  })
  .refine(
    (env) =>
      !env.IMAP_URL ||
      (parseImapUrl(env.IMAP_URL)?.password === null) === Boolean(env.IMAP_TOKEN_URL),
    {
      ...always,
      path: ['IMAP_URL'],
      message: 'needs a password, or IMAP_TOKEN_URL, but not both',
    },
  )
  .refine((env) => !(env.STORAGE_URL ?? env.BACKUP_URL) || hasBucketKeys(env), {
    ...always,
    path: ['S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY'],
    message: 'STORAGE_URL and BACKUP_URL need both',
  })
  .refine((env) => env.DOWNLOADS !== 'redirect' || env.STORAGE_URL, {
    ...always,
    path: ['DOWNLOADS'],
    message: 'redirect needs STORAGE_URL',
  })
  .refine((env) => env.DOWNLOADS !== 'nginx' || !env.STORAGE_URL, {
    ...always,
    path: ['DOWNLOADS'],
    message: 'nginx needs files on the disk, not STORAGE_URL',
  })
  .refine((env) => isTrustworthyIssuer(env), {
    ...always,
    path: ['OIDC_ISSUER'],
    message: 'must be an https address: over http anybody on the way could sign in as anybody',
  })
