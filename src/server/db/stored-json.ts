import { createHash } from 'node:crypto'

import { z } from 'zod'

import { KEY_SCOPES } from '../../shared/api-keys'
import { ROLES } from '../../shared/constants'
import { PASSKEY_TRANSPORTS } from '../../shared/passkeys'
import { alertKindSchema, eventDetailsSchema } from '../../shared/schemas/alert'
import { auditChangeSchema } from '../../shared/schemas/audit'
import {
  columnNumbersSchema,
  decimalMarkSchema,
  knownMarkSchema,
} from '../../shared/schemas/column-numbers'
import {
  columnPolicySchema,
  columnRolesSchema,
  stockTextSchema,
} from '../../shared/schemas/column-policy'
import { comparisonSchema } from '../../shared/schemas/comparison'
import {
  categoryReadingSchema,
  dialectSchema,
  fileProblemSchema,
  receiptSchema,
  type CategoryCount,
} from '../../shared/schemas/file'
import { invitationTermsSchema } from '../../shared/schemas/invitation'
import { mergedRulesSchema } from '../../shared/schemas/merged-file'
import { joinChoicesSchema, joinCountsSchema } from '../../shared/schemas/overlay'
import { retailerPriceRulesSchema } from '../../shared/schemas/price-rules'
import { guardSchema, holdReasonSchema } from '../../shared/schemas/publishing'
import { shopFormatSchema } from '../../shared/schemas/shop-format'
import { sourceReadingSchema } from '../../shared/schemas/source-reading'
import { transferSchema } from '../../shared/schemas/transfer'
import { gapSchema, updateCountsSchema, updateSettingsSchema } from '../../shared/schemas/updates'

/** Stored credentials of a source: the secret is encrypted, the rest may be shown. */
const storedAuthSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('basic'), username: z.string(), sealed: z.string() }),
  z.object({ type: z.literal('bearer'), sealed: z.string() }),
  z.object({ type: z.literal('header'), name: z.string(), sealed: z.string() }),
  z.object({
    type: z.literal('s3'),
    accessKeyId: z.string(),
    region: z.string(),
    endpoint: z.string().optional(),
    sealed: z.string(),
  }),
  z.object({ type: z.literal('ssh-key'), username: z.string(), sealed: z.string() }),
])
export type StoredAuth = z.infer<typeof storedAuthSchema>

const storedConfigSchema = z.object({
  url: z.string(),
  /** The whole address, encrypted, if it may contain a secret; `url` then tells only its origin. */
  sealedUrl: z.string().optional(),
  auth: storedAuthSchema.optional(),
  /** For a server of SFTP or FTP. */
  transfer: transferSchema.optional(),
})
/** How a connection reaches its source; the type of source is in a separate column. */
export type StoredConfig = z.infer<typeof storedConfigSchema>

const storedOverlaySchema = z.object({
  ...storedConfigSchema.shape,
  ...joinChoicesSchema.shape,
  reading: sourceReadingSchema,
})
/** A second address of a connection, and how its file is read and joined. */
export type StoredOverlay = z.infer<typeof storedOverlaySchema>

/** The file that was read last at a server where files are moved or deleted once they were read. */
const readFileSchema = z.object({
  etag: z.string(),
  /** Its name, if its address has a pattern. */
  foundName: z.string().nullable(),
  /** When it was changed, in Unix milliseconds by the clock of its server; null if that is not known. */
  changedAt: z.number().nullable(),
  /** Whether it waits for a decision, is to be moved or deleted, or was. */
  state: z.enum(['held', 'due', 'done']),
  /** Why it could not be moved or deleted. */
  error: z.string().nullable(),
})
export type ReadFile = z.infer<typeof readFileSchema>

/** How a connection is stored whose files are only sent to it. */
export const NO_ADDRESS: StoredConfig = { url: '' }

const sessionDataSchema = z.object({
  userId: z.number().optional(),
  epoch: z.number().optional(),
  endsAt: z.number().optional(),
  idleMs: z.number().optional(),
  /** It began with a sign-in at an identity provider. */
  isByProvider: z.boolean().optional(),
})
export type SessionData = z.infer<typeof sessionDataSchema>

const isBases = (value: unknown): value is DigestBase[] =>
  z.array(z.object({ key: z.string(), versionId: z.number() })).safeParse(value).success
/** A file that was told of, by whose it is: a connection, or the supplier of a retailer. */
export type DigestBase = { key: string; versionId: number }

const columnErasSchema = z.array(
  z.object({ since: z.number(), quantity: z.string().nullable(), price: z.string().nullable() }),
)
/** Of which columns the quantities and prices of a history are, since when in Unix milliseconds. */
export type ColumnEra = z.infer<typeof columnErasSchema>[number]

/** By role: since when, in Unix milliseconds, people need a second factor, and how long they can do without. */
const requiredFactorsSchema = z.partialRecord(
  z.enum(ROLES),
  z.object({ since: z.number(), graceDays: z.number() }),
)
export type RequiredFactors = z.infer<typeof requiredFactorsSchema>

/** A person as confirmed by an identity provider. */
const identitySchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  pictureUrl: z.string().nullable(),
})
export type StoredIdentity = z.infer<typeof identitySchema>

/** Column names stored before the length limit of today's input must stay readable. */
const storedReadingSchema = categoryReadingSchema.extend({ column: z.string() })

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
/**
 * What a retailer's file depends on besides its version. Column policy and shop format are there only where
 * the file is not simply the matching rows.
 */
const variantSpecSchema = z.object({
  /** In their comparable form; null for all rows. */
  categories: z.custom<string[]>(isTexts).nullable(),
  hidden: z.custom<string[]>(isTexts),
  profile: shopFormatSchema.optional(),
  roles: columnRolesSchema.optional(),
  stockTexts: z.array(stockTextSchema).optional(),
  decimalMark: decimalMarkSchema.optional(),
  isNdjson: z.boolean().optional(),
  isWorkbook: z.boolean().optional(),
  isParquet: z.boolean().optional(),
  /** Whether items that have left the supplier's file are not written. */
  omitsGoneItems: z.boolean().optional(),
  /** How prices are made of costs, and what is known of their columns. */
  pricing: z
    .object({
      rules: retailerPriceRulesSchema,
      roles: z.object({
        price: z.string().nullable(),
        cost: z.string().nullable(),
        currency: z.string().nullable(),
      }),
      decimalMark: decimalMarkSchema.nullable(),
    })
    .optional(),
  /** Only the rows that differ from the file of an older version, with these categories then. */
  since: z
    .object({ versionId: z.number(), categories: z.custom<string[]>(isTexts).nullable() })
    .optional(),
})
export type VariantSpec = z.infer<typeof variantSpecSchema>

/** The key by which a variant is found. */
export function toViewKey(view: VariantSpec): string {
  return createHash('sha256').update(JSON.stringify(view)).digest('hex')
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => Number.isInteger(item))

const storedDownloadSchema = z.object({
  /** No other download of the retailer has it. */
  id: z.number(),
  pulledAt: z.number(),
  fileName: z.string(),
  /** When its data were last known to be what the source had. */
  dataAsOf: z.number(),
  rowCount: z.number(),
  sizeBytes: z.number(),
  /** The family of the browser or program, as `client-family.ts` names it. */
  client: z.string(),
})
export type StoredDownload = z.infer<typeof storedDownloadSchema>

/** An update that was merged, by the hash of its canonical form. */
const appliedUpdateSchema = updateCountsSchema.extend({ sha256: z.string() })
export type AppliedUpdate = z.infer<typeof appliedUpdateSchema>

/** What came of joining an overlay, and the columns of the file that it has replaced. */
const appliedOverlaySchema = joinCountsSchema.extend({ replaced: z.array(z.string()) })
export type AppliedOverlay = z.infer<typeof appliedOverlaySchema>

const storedGapSchema = gapSchema.extend({ at: z.number() })
export type StoredGap = z.infer<typeof storedGapSchema>

/** Names what decides something: equal values have the same name. */
export const toFingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** A relation whose rows are in a merged file, and with which rows and columns they were seen. */
const mergedSourceSchema = z.object({ retailerId: z.number(), seenKey: z.string() })
const mergedFromSchema = z.object({
  /**
   * The preferred one first. `versionId`: null, or of none that there is, once only the part is kept of the version;
   * `dataAt`: from when its data were; `isStale`: its quantities were too old.
   */
  parts: z.array(
    mergedSourceSchema.extend({
      versionId: z.number().nullable(),
      dataAt: z.number(),
      isStale: z.boolean(),
    }),
  ),
  /** Those of whose items the list of gone items may have keys. */
  gone: z.array(mergedSourceSchema),
})
export type MergedFrom = z.infer<typeof mergedFromSchema>

const isTextTable = (value: unknown): value is string[][] =>
  Array.isArray(value) && value.every(isTexts)
const isCategoryCounts = (value: unknown): value is CategoryCount[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item?.cell === 'string' && Number.isInteger(item.rows))

/**
 * The schema of each JSON column, by its name in any table. Columns with up to 20,000 items use a plain
 * predicate: an array schema would take three times as long as parsing the text.
 */
export const JSON_COLUMNS = {
  /** User settings; reserved, nothing writes them yet. */
  settings: z.record(z.string(), z.unknown()),
  config: storedConfigSchema,
  readFile: readFileSchema,
  data: sessionDataSchema,
  details: eventDetailsSchema,
  kinds: z.array(alertKindSchema),
  bases: z.custom<DigestBase[]>(isBases),
  columnEras: columnErasSchema,
  requiredFactors: requiredFactorsSchema,
  identity: identitySchema,
  terms: invitationTermsSchema,
  scopes: z.array(z.enum(KEY_SCOPES)),
  networks: z.custom<string[]>(isTexts),
  allowedSenders: z.custom<string[]>(isTexts),
  publicKeys: z.custom<string[]>(isTexts),
  recipients: z.custom<number[]>(isNumbers),
  times: z.custom<string[]>(isTexts),
  transports: z.array(z.enum(PASSKEY_TRANSPORTS)),
  categoryReading: storedReadingSchema,
  reading: sourceReadingSchema,
  updates: updateSettingsSchema,
  fromUpdate: appliedUpdateSchema,
  overlay: storedOverlaySchema,
  fromOverlay: appliedOverlaySchema,
  gap: storedGapSchema,
  columnPolicy: columnPolicySchema,
  decimalMarks: z.array(knownMarkSchema),
  numbers: z.array(columnNumbersSchema),
  guard: guardSchema,
  holdReasons: z.array(holdReasonSchema),
  profile: shopFormatSchema,
  priceRules: retailerPriceRulesSchema,
  mergedRules: mergedRulesSchema,
  mergedFrom: mergedFromSchema,
  view: variantSpecSchema,
  changes: z.array(auditChangeSchema),
  dialect: dialectSchema,
  received: receiptSchema,
  problems: z.array(fileProblemSchema),
  columns: z.custom<string[]>(isTexts),
  categories: z.custom<string[]>(isTexts),
  dayCounts: z.custom<number[]>(isNumbers),
  newestDownloads: z.array(storedDownloadSchema),
  headRows: z.custom<string[][]>(isTextTable),
  difference: comparisonSchema,
  categoryExamples: z.array(z.string()),
  categoryCounts: z.custom<CategoryCount[]>(isCategoryCounts),
}
