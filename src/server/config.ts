import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'

import type { z } from 'zod'

import packageJson from '../../package.json'
import { toDatabasePlace } from './db/database-place'
import { listEffectiveSettings } from './effective-settings'
import { withoutBrackets } from './files/fetch/address-rules'
import { toOidcSettings } from './identity/oidc-settings'
import { parseImapUrl } from './inbox/mail/imap-url'
import type { ImapSettings, SmtpSettings } from './inbox/mail/settings'
import { codeOf } from './process/error-code'
import { readVariableFiles } from './secrets/variable-files'
import { environmentSchema } from './settings'
import { toBucketPlace } from './storage/s3/bucket-place'

/** The commit that was built, or empty if unknown; the build puts it in, and without one it is not defined. */
declare const REVISION: string | undefined

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {}

/**
 * Validates the environment and returns it as the product's configuration.
 * @throws ConfigError listing all invalid variables
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const { env, values } = parseEnvironment(environment)
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
    sendsThroughNginx: env.DOWNLOADS === 'nginx',
    backupsDir: join(dataDir, 'backups'),
    deletedAccountsFile: join(dataDir, 'deleted-accounts'),
    backupBucket: toBucketPlace(env.BACKUP_URL, env),
    redisUrl: env.REDIS_URL,
    workerConcurrency: env.WORKER_CONCURRENCY,
    workerPort: env.WORKER_PORT,
    inboxPort: env.INBOX_PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    webProcesses: env.WEB_PROCESSES === 'auto' ? availableParallelism() : env.WEB_PROCESSES,
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
    setsUpInBrowser: isSetUpInBrowser(env),
    setupTokenFile: join(dataDir, 'setup-token'),
    isSignupAllowed: env.ALLOW_SIGNUP,
    oidc: toOidcSettings(env),
    smtp: toSmtpSettings(env),
    mailInboxDomain: env.MAIL_INBOX_DOMAIN ?? null,
    mailAuthHost: env.MAIL_AUTH_HOST ?? null,
    mailInboxSecret: env.MAIL_INBOX_SECRET,
    smtpInbox: toSmtpInboxSettings(env),
    imap: toImapSettings(env),
    sftp: toSftpSettings(env, dataDir),
    hasInlineInbox: env.INBOX === 'inline',
    fetchAllow: env.FETCH_ALLOW,
    fetchProxy: env.FETCH_PROXY,
    maxFileBytes: env.MAX_FILE_BYTES,
    maxStoragePerSupplierBytes: env.MAX_STORAGE_PER_SUPPLIER,
    minFreeBytes: env.MIN_FREE_BYTES,
    updateCheckUrl: env.UPDATE_CHECK_URL,
    telemetry: toTelemetrySettings(env),
    trustProxy: env.TRUST_PROXY,
    hasCallLimits: env.CALL_LIMITS === 'on',
    logLevel: env.LOG_LEVEL,
    proxyVariables: listProxyVariables(environment),
    childEnvironment: pickChildEnvironment(environment),
    settings: listEffectiveSettings(values, inDotEnv),
  }
}

/** The variables that have the value of `.env`. */
const inDotEnv = new Set<string>()

/** In development there is no built page. */
const isSetUpInBrowser = (env: z.infer<typeof environmentSchema>) =>
  env.SETUP === 'browser' && env.ADMIN_PASSWORD === undefined && env.NODE_ENV !== 'development'

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

/** Returns null when no collector is told. */
function toTelemetrySettings(env: z.infer<typeof environmentSchema>) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers = [] } = env
  if (url === undefined) return null
  return { url, headers: Object.fromEntries(headers), serviceName: env.OTEL_SERVICE_NAME }
}

/** Returns undefined when no mail server is configured. */
function toSmtpSettings({ SMTP_URL: url, MAIL_FROM: from }: z.infer<typeof environmentSchema>) {
  return url && from ? { url, from } : undefined
}

/** Returns null when mails are not taken from a mail server in front. */
function toSmtpInboxSettings(env: z.infer<typeof environmentSchema>): SmtpSettings | null {
  const { SMTP_INBOX_CERT: cert, SMTP_INBOX_KEY: key, MAIL_INBOX_DOMAIN: name } = env
  if (env.SMTP_INBOX_PORT === undefined || name === undefined) return null
  return {
    host: env.SMTP_INBOX_LISTEN ?? env.HOST,
    port: env.SMTP_INBOX_PORT,
    name,
    networks: env.SMTP_INBOX_ALLOW,
    certificate: cert !== undefined && key !== undefined ? { cert, key } : null,
  }
}

/** Returns null when no mailbox is read. */
function toImapSettings(env: z.infer<typeof environmentSchema>): ImapSettings | null {
  const { IMAP_URL, IMAP_TOKEN_URL: url, IMAP_CLIENT_ID: clientId } = env
  const place = IMAP_URL === undefined ? undefined : parseImapUrl(IMAP_URL)
  if (!place) return null
  const tokens = {
    clientSecret: env.IMAP_CLIENT_SECRET ?? null,
    refreshToken: env.IMAP_REFRESH_TOKEN ?? null,
    scope: env.IMAP_SCOPE ?? null,
  }
  return {
    ...place,
    tokens: url !== undefined && clientId !== undefined ? { url, clientId, ...tokens } : null,
    doneFolder: env.IMAP_DONE_FOLDER ?? null,
  }
}

/** Returns null when there is no SFTP server. */
function toSftpSettings(env: z.infer<typeof environmentSchema>, dataDir: string) {
  if (env.SFTP_PORT === undefined) return null
  const publicHost = env.PUBLIC_URL && withoutBrackets(new URL(env.PUBLIC_URL).hostname)
  return {
    /** What people are told. */
    host: env.SFTP_HOST ?? publicHost ?? 'localhost',
    port: env.SFTP_PORT,
    listenHost: env.SFTP_LISTEN ?? env.HOST,
    /** The keys as they were given, if they were. */
    hostKeys: env.SFTP_HOST_KEY,
    hostKeyFile: join(dataDir, 'sftp-host-key'),
  }
}

/** Loads `.env` from the working directory into the environment; variables already set win. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile()
    for (const [name, value] of Object.entries(parseEnv(readFileSync('.env', 'utf8')))) {
      if (process.env[name] === value) inDotEnv.add(name)
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

function parseEnvironment(environment: NodeJS.ProcessEnv) {
  const { values, problems } = readVariableFiles(environment, Object.keys(environmentSchema.shape))
  const parsed = environmentSchema.safeParse(values)
  for (const { path, message } of parsed.error?.issues ?? []) {
    problems.push(`${path.join('.')}: ${message}`)
  }
  if (parsed.success && problems.length === 0) return { env: parsed.data, values }
  throw new ConfigError(`The configuration is not valid:\n  ${problems.join('\n  ')}`)
}
