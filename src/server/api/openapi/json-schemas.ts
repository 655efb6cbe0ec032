import { z } from 'zod'

import { USABLE_CONNECTION_TYPES, USABLE_FILE_FORMATS } from '../../../shared/constants'
import type { JsonSchema } from '../../../shared/openapi'
import { columnRolesSchema } from '../../../shared/schemas/column-policy'
import {
  connectionSchema,
  sourcePreviewSchema,
  usableConnectionTypeSchema,
  usableFileFormatSchema,
} from '../../../shared/schemas/connection'
import { backupFileSchema, cronJobSchema } from '../../../shared/schemas/cron-job'
import { destinationListSchema, destinationTrialSchema } from '../../../shared/schemas/destination'
import {
  categoryReadingSchema,
  fileListingSchema,
  latestFileSchema,
  messageSchema,
} from '../../../shared/schemas/file'
import { groupSchema } from '../../../shared/schemas/group'
import { mailInboxSchema, mailSchema } from '../../../shared/schemas/mail-inbox'
import { overlayInput } from '../../../shared/schemas/overlay'
import {
  maxRetailersSchema,
  receiverUrlSchema,
  sourceUrlSchema,
  storeUrlSchema,
  targetUrlSchema,
  expectedEveryHoursSchema,
  syncFrequencySchema,
} from '../../../shared/schemas/primitives'
import { receivedFileSchema } from '../../../shared/schemas/received-file'
import { retailerSchema, visibilitySettingsSchema } from '../../../shared/schemas/retailer'
import { changedSftpLoginSchema, sftpAccessSchema } from '../../../shared/schemas/sftp-login'
import { sourceAuthInput } from '../../../shared/schemas/source-auth'
import { sourceReadingSchema } from '../../../shared/schemas/source-reading'
import { syncRunSchema } from '../../../shared/schemas/sync-run'
import { updateSettingsInput } from '../../../shared/schemas/updates'
import { uploadLinkSchema, uploadPageSchema } from '../../../shared/schemas/upload-link'
import { usernameResultSchema, userSchema } from '../../../shared/schemas/user'
import { WEBHOOK_EVENT_KINDS, webhookEventSchemas } from '../../../shared/schemas/webhook-event'
import { toEventName } from './event-names'

/** The component names of result schemas, and of the bodies of requests to webhooks. */
const NAMES = new Map<z.ZodType, string>([
  [userSchema, 'User'],
  [usernameResultSchema, 'Username'],
  [retailerSchema, 'Retailer'],
  [connectionSchema, 'Connection'],
  [sourcePreviewSchema, 'SourcePreview'],
  [syncRunSchema, 'SyncRun'],
  [fileListingSchema, 'FileListing'],
  [latestFileSchema, 'LatestFile'],
  [cronJobSchema, 'CronJob'],
  [backupFileSchema, 'BackupFile'],
  [messageSchema, 'Message'],
  [receivedFileSchema, 'ReceivedFile'],
  [uploadLinkSchema, 'UploadLink'],
  [mailInboxSchema, 'MailInbox'],
  [mailSchema, 'Mail'],
  [uploadPageSchema, 'UploadPage'],
  [groupSchema, 'Group'],
  [destinationListSchema, 'DestinationList'],
  [destinationTrialSchema, 'DestinationTrial'],
  [sftpAccessSchema, 'SftpAccess'],
  [changedSftpLoginSchema, 'ChangedSftpLogin'],
  ...WEBHOOK_EVENT_KINDS.map((kind) => [webhookEventSchemas[kind], toEventName(kind)] as const),
])

/** The values that are accepted; the others of the enum are coming soon and are refused. */
const USABLE = new Map<z.core.$ZodType, readonly string[]>([
  [usableConnectionTypeSchema, USABLE_CONNECTION_TYPES],
  [usableFileFormatSchema, USABLE_FILE_FORMATS],
])

/** Explanations that the schema itself does not give. */
const NOTES = new Map<z.core.$ZodType, string>([
  [syncFrequencySchema, 'Minutes between two syncs; 0 is real-time'],
  [
    expectedEveryHoursSchema,
    'Hours after which a file is late that is only sent; null or nothing: never',
  ],
  [maxRetailersSchema, 'How many retailers the supplier may have'],
  [storeUrlSchema, 'A domain, or an http or https address'],
  [
    sourceUrlSchema,
    'An http or https address, without a user name and password, or that of a file in a bucket: s3://bucket/file',
  ],
  [
    targetUrlSchema,
    'An http or https address, or that of a folder: sftp://, ftp://, ftps:// or s3://bucket/folder/',
  ],
  [receiverUrlSchema, 'An http or https address, without a user name and password'],
  [sourceAuthInput, 'Credentials for the source; a secret that is left out stays unchanged'],
  [visibilitySettingsSchema, 'All rows, or those of the listed categories and their subcategories'],
  [categoryReadingSchema, 'Which column holds the category, and what separates its levels'],
  [sourceReadingSchema, 'How the file is read; what is null or left out is detected'],
  [columnRolesSchema, 'Which column is what; what is null or left out is found by its name'],
  [
    overlayInput,
    'A second address, whose table is joined to that of the first by its keys; null: there is none. A secret or a reading that is left out stays unchanged',
  ],
  [
    updateSettingsInput,
    'How files are merged that have only what has changed; null: each file has all items. Without nextIsFull, what was said of the next file stays',
  ],
])

/** The named result schemas, for `components.schemas`. */
export function nameSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...NAMES].map(([schema, name]) => [name, toJsonSchema(schema, 'output')]),
  )
}

/** The schema of a call's input. */
export const toInputSchema = (schema: z.ZodType): JsonSchema => toJsonSchema(schema, 'input')

/** The schema of a call's result, as a reference where it has a name. REST never sends null. */
export function toResultSchema(schema: z.ZodType): JsonSchema {
  if (schema instanceof z.ZodNullable) return toResultSchema(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) {
    return { type: 'array', items: toResultSchema(schema.element as z.ZodType) }
  }
  const name = NAMES.get(schema)
  return name ? { $ref: `#/components/schemas/${name}` } : toJsonSchema(schema, 'output')
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    // Custom checks have no JSON Schema; the refusal's message explains them.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => refine(zodSchema, jsonSchema as JsonSchema, io),
  })
  return json as JsonSchema
}

/** Adds what zod omits, and removes patterns and bounds that tell a reader nothing. */
function refine(schema: z.core.$ZodType, json: JsonSchema, io: 'input' | 'output'): void {
  // A bound that is checked before the shape: the input must satisfy both.
  const isInTwoSteps = schema instanceof z.ZodPipe && !(schema.in instanceof z.ZodTransform)
  if (isInTwoSteps && io === 'input') Object.assign(json, toJsonSchema(schema.out as z.ZodType, io))
  const usable = USABLE.get(schema)
  if (usable) json.enum = [...usable]
  const note = NOTES.get(schema)
  if (note) json.description = note
  if (json.format !== undefined) Reflect.deleteProperty(json, 'pattern')
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
}
