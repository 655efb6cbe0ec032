import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { z } from 'zod'

import { usernameSchema, newPasswordSchema } from '../shared/schemas/primitives'
import { parseFetchAllow } from './feed/address-rules'

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

const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((value) => value === 'true')

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

/** Checked here, so that a wrong entry is named with every other bad variable. */
const fetchAllow = list.superRefine((entries, context) => {
  try {
    parseFetchAllow(entries)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
  }
})

const PROXY = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

const proxies = list.superRefine((entries, context) => {
  for (const entry of entries.filter((candidate) => !PROXY.safeParse(candidate).success)) {
    const message = `"${entry}" is neither an IP address nor a CIDR range, such as 10.0.0.0/8`
    context.addIssue({ code: 'custom', message })
  }
})

const MIB = 1024 * 1024

/** Every variable the product reads, with its default. `.env.example` is checked against this. */
export const environmentSchema = z.object({
  NODE_ENV: optional(z.enum(['development', 'production', 'test']).default('production')),
  HOST: optional(z.string().default('127.0.0.1')),
  PORT: optional(wholeNumber(0, 65_535).default(3000)),
  PUBLIC_URL: optional(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  ),
  APP_NAME: optional(z.string().max(100).default('Stockbridge')),
  DATA_DIR: optional(z.string().default('data')),
  DATABASE_URL: optional(
    z
      .string()
      .regex(/^sqlite:./, 'must be sqlite: and the name of a file')
      .optional(),
  ),
  REDIS_URL: optional(
    z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' }).optional(),
  ),
  WORKER: optional(z.enum(['inline', 'off'], { error: 'must be inline or off' }).default('inline')),
  WORKER_PORT: optional(wholeNumber(0, 65_535).default(3001)),
  METRICS_PORT: optional(wholeNumber(0, 65_535).optional()),
  SESSION_SECRET: optional(z.string().min(32, 'must have at least 32 characters').optional()),
  ADMIN_USERNAME: optional(usernameSchema.default('admin')),
  ADMIN_PASSWORD: optional(newPasswordSchema.optional()),
  ALLOW_SIGNUP: optional(flag.default(true)),
  FETCH_ALLOW: optional(fetchAllow.default([])),
  MAX_FILE_BYTES: optional(wholeNumber(1).default(256 * MIB)),
  MAX_STORAGE_PER_SUPPLIER: optional(wholeNumber(1).default(5 * 1024 * MIB)),
  MIN_FREE_BYTES: optional(wholeNumber(0).optional()),
  TRUST_PROXY: optional(proxies.default([])),
  LOG_LEVEL: optional(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
})

/** Variables that may also be given as a file, `SESSION_SECRET_FILE` and the like. */
const SECRETS = ['REDIS_URL', 'SESSION_SECRET', 'ADMIN_PASSWORD'] as const

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {}

/**
 * Reads the environment (and `.env` where there is one), checks every variable and returns them in
 * the product's own terms.
 * @throws ConfigError that names every bad variable at once
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const env = parseEnvironment(environment)
  const dataDir = resolve(env.DATA_DIR)
  return {
    environment: env.NODE_ENV,
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL,
    appName: env.APP_NAME,
    dataDir,
    databaseFile: env.DATABASE_URL?.replace(/^sqlite:/, '') ?? join(dataDir, 'app.db'),
    filesDir: join(dataDir, 'files'),
    backupsDir: join(dataDir, 'backups'),
    redisUrl: env.REDIS_URL,
    workerPort: env.WORKER_PORT,
    metricsPort: env.METRICS_PORT,
    hasInlineWorker: env.WORKER === 'inline',
    sessionSecret: env.SESSION_SECRET,
    adminUsername: env.ADMIN_USERNAME,
    adminPassword: env.ADMIN_PASSWORD,
    isSignupAllowed: env.ALLOW_SIGNUP,
    fetchAllow: env.FETCH_ALLOW,
    maxFileBytes: env.MAX_FILE_BYTES,
    maxStoragePerSupplierBytes: env.MAX_STORAGE_PER_SUPPLIER,
    minFreeBytes: env.MIN_FREE_BYTES,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
  }
}

/** Loads `.env` from the working directory into the environment; variables already set win. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function parseEnvironment(environment: NodeJS.ProcessEnv) {
  const { values, problems } = readSecretFiles(environment)
  const parsed = environmentSchema.safeParse(values)
  for (const { path, message } of parsed.error?.issues ?? []) {
    problems.push(`${path.join('.')}: ${message}`)
  }
  if (parsed.success && problems.length === 0) return parsed.data
  throw new ConfigError(`The configuration is not valid:\n  ${problems.join('\n  ')}`)
}

/** The environment with its secrets, and what is wrong with the files that should hold them. */
function readSecretFiles(environment: NodeJS.ProcessEnv) {
  const values = { ...environment }
  const problems: string[] = []
  for (const name of SECRETS) {
    const file = environment[`${name}_FILE`]
    try {
      if (file) values[name] = readFileSync(file, 'utf8').trimEnd()
    } catch (error) {
      problems.push(`${name}_FILE: ${(error as Error).message}`)
    }
  }
  return { values, problems }
}
