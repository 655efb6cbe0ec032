import { z } from 'zod'

import {
  CONNECTION_STATUSES,
  FRESHNESS,
  CONNECTION_TYPES,
  FILE_FORMATS,
  USABLE_CONNECTION_TYPES,
  USABLE_FILE_FORMATS,
} from '../constants'
import { MAX_LISTED_PARTS, MAX_RECORD_CANDIDATES } from '../reading'
import { columnRolesSchema } from './column-policy'
import { categoryReadingSchema, dialectSchema, fileProblemSchema, previewRowsSchema } from './file'
import { joinCountsSchema, OVERLAY_OR_UPDATES, overlayInput, overlaySchema } from './overlay'
import {
  expectedEveryHoursSchema,
  idSchema,
  instantSchema,
  nameSchema,
  sourceUrlSchema,
  syncFrequencySchema,
} from './primitives'
import { recordPlaceSchema } from './record-place'
import { maskedSourceAuthSchema, sourceAuthInput } from './source-auth'
import { sourceReadingSchema } from './source-reading'
import { syncProgressSchema } from './sync-run'
import { transferInput, transferSchema } from './transfer'
import { gapSchema, updateCountsSchema, updateSettingsInput, updateSettingsSchema } from './updates'

/** A connection type that can be used; others are refused with a message: docs/rules.md#delivery */
export const usableConnectionTypeSchema = z
  .enum(CONNECTION_TYPES, { error: `Type must be one of ${CONNECTION_TYPES.join(', ')}` })
  .refine((type) => USABLE_CONNECTION_TYPES.includes(type), {
    error: (issue) => `${String(issue.input)} is coming soon: only URL can be used today`,
  })

export const usableFileFormatSchema = z
  .enum(FILE_FORMATS, { error: `File format must be one of ${FILE_FORMATS.join(', ')}` })
  .refine((format) => USABLE_FILE_FORMATS.includes(format), {
    error: (issue) => `${String(issue.input)} is coming soon: only CSV can be used today`,
  })

/**
 * The address and credentials of a source; unknown keys are stripped. Without `auth` or `transfer`, what is
 * stored is kept. Secrets belong to the origin of the URL and are dropped when it changes. Without
 * `url`, files are only sent to the connection.
 */
export const connectionConfigSchema = z.object({
  url: sourceUrlSchema.optional(),
  auth: sourceAuthInput.optional(),
  transfer: transferInput.optional(),
})
export type ConnectionConfigInput = z.infer<typeof connectionConfigSchema>

/**
 * How the category column is read. It is fixed per connection, so that the visible rows do not
 * change from sync to sync. null lets the next sync detect it.
 */
const categoryChoiceSchema = categoryReadingSchema.nullish()

export const connectionSchema = z.object({
  id: idSchema,
  supplierId: idSchema,
  name: z.string(),
  type: z.enum(CONNECTION_TYPES),
  /** `url` is empty for a connection without an address, to which files are only sent. */
  config: z.object({
    url: z.string(),
    auth: maskedSourceAuthSchema,
    /** Only for an address at a server of SFTP or FTP. */
    transfer: transferSchema.optional(),
  }),
  fileFormat: z.enum(FILE_FORMATS),
  syncFrequency: z.number().int(),
  expectedEveryHours: z.number().int().nullable(),
  lastSync: instantSchema.nullable(),
  isActive: z.boolean(),
  createdAt: instantSchema,
  status: z.enum(CONNECTION_STATUSES),
  freshness: z.enum(FRESHNESS),
  lastAttemptAt: instantSchema.nullable(),
  lastError: z.string().nullable(),
  /** Why the file that was read last could not be moved or deleted at its server; absent without a reason. */
  afterReadingError: z.string().optional(),
  nextSyncAt: instantSchema.nullable(),
  consecutiveFailures: z.number().int(),
  categoryReading: categoryReadingSchema.nullable(),
  reading: sourceReadingSchema,
  /** Which column is what, as the supplier has chosen. */
  columnRoles: columnRolesSchema,
  /** null: each file is a full one. Otherwise with what the published file lacks, if anything. */
  updates: updateSettingsSchema.extend({ gap: gapSchema.nullable() }).nullable(),
  /** A second address, whose table is joined to that of the first. */
  overlay: overlaySchema.nullable(),
  /** null while no sync runs. */
  progress: syncProgressSchema.nullable(),
})
export type Connection = z.infer<typeof connectionSchema>

/** The settings of a connection; the inputs and the form derive from them. */
const connectionSettings = z.object({
  name: nameSchema('Connection name'),
  type: usableConnectionTypeSchema,
  fileFormat: usableFileFormatSchema,
  syncFrequency: syncFrequencySchema,
  /** Of files that are only sent, which are late after this time; null: never. */
  expectedEveryHours: expectedEveryHoursSchema.nullish(),
  config: connectionConfigSchema,
  isActive: z.boolean({ error: 'isActive must be true or false' }),
  categoryReading: categoryChoiceSchema,
  reading: sourceReadingSchema.optional(),
  /** Which column is what; a role that is null is found by the names of the columns. */
  columnRoles: columnRolesSchema.optional(),
  /** null: each file is a full one, and not an update of the published one. */
  updates: updateSettingsInput.nullish(),
  /** null: the file at the address is all there is. */
  overlay: overlayInput.nullish(),
})

export const createConnectionInput = z.object({
  supplierId: idSchema.nullish(),
  ...connectionSettings.shape,
  isActive: connectionSettings.shape.isActive.default(true),
})
export type CreateConnectionInput = z.infer<typeof createConnectionInput>

/** PATCH /api/connections/{id}: any subset; the table's switch sends `isActive` alone. */
export const updateConnectionInput = z.object({
  id: idSchema,
  ...connectionSettings.partial().shape,
})
export type UpdateConnectionInput = z.infer<typeof updateConnectionInput>

/** The connection dialog, where `auth`, `reading`, `columnRoles` and `updates` are required. */
export const connectionFormSchema = connectionSettings
  .omit({ isActive: true, expectedEveryHours: true })
  .extend({
    config: connectionConfigSchema.extend({ url: sourceUrlSchema, auth: sourceAuthInput }),
    reading: sourceReadingSchema,
    columnRoles: columnRolesSchema,
    updates: updateSettingsInput.nullable(),
    overlay: overlayInput.extend({ auth: sourceAuthInput }).nullish(),
  })
  .refine(({ updates, overlay }) => !updates || !overlay, {
    path: ['overlay', 'url'],
    error: OVERLAY_OR_UPDATES,
  })
export type ConnectionFormValues = z.infer<typeof connectionFormSchema>

export const previewSourceInput = connectionConfigSchema.extend({
  url: sourceUrlSchema,
  /** The connection whose stored credentials are used when `auth` has none. */
  connectionId: idSchema.optional(),
  /** Without them, those of the connection apply. */
  reading: sourceReadingSchema.optional(),
  columnRoles: columnRolesSchema.optional(),
  updates: updateSettingsInput.nullish(),
  overlay: overlayInput.nullish(),
})
export type PreviewSourceInput = z.infer<typeof previewSourceInput>

/** What a source consists of, as far as it can be chosen from. */
export const tablePartsSchema = z.object({
  sheets: z
    .array(
      z.object({
        name: z.string(),
        isHidden: z.boolean(),
        /** As the sheet declares, which may be more than there are; null if it does not. */
        rows: z.number().int().nullable(),
        columns: z.number().int().nullable(),
      }),
    )
    .max(MAX_LISTED_PARTS),
  members: z
    .array(
      z.object({ path: z.string(), sizeBytes: z.number(), modifiedAt: instantSchema.nullable() }),
    )
    .max(MAX_LISTED_PARTS),
  /** Where an XML or JSON document may have its records, the best place first. */
  records: z
    .array(
      recordPlaceSchema.extend({
        /** Rows that were found there, in as much of the document as was read. */
        rows: z.number().int(),
        isWhole: z.boolean(),
        /** The names of the first columns, of `columnCount`. */
        header: z.array(z.string()),
        columnCount: z.number().int(),
        /** The first rows, with the cells of those columns. */
        firstRows: z.array(z.array(z.string())),
      }),
    )
    .max(MAX_RECORD_CANDIDATES),
})
export type TableParts = z.infer<typeof tablePartsSchema>

/** What a sync would read from a URL: the first 100 records, with trimmed cells. */
export const sourcePreviewSchema = previewRowsSchema.extend({
  dialect: dialectSchema,
  problems: z.array(fileProblemSchema),
  /** Rows read for this preview, which stops early. */
  rowsRead: z.number().int(),
  /** The file continues after the part that was read. */
  isPartial: z.boolean(),
  /** The category column that a sync would choose. */
  categoryReading: categoryReadingSchema.nullable(),
  categoryColumns: z.array(z.string()),
  /** Cells of the category column that show how they are split. */
  categoryExamples: z.array(z.string()),
  /** The sheets of a workbook and the files of an archive, of which some are read. */
  parts: tablePartsSchema,
  /** For each setting, what is found when it alone is automatic; null when that cannot be told. */
  found: sourceReadingSchema,
  /** Which column is what if the supplier decides nothing. */
  foundRoles: columnRolesSchema,
  /** null unless the connection takes updates. */
  update: z
    .object({
      isFull: z.boolean(),
      /** What it would do to the published file; null for a full file, and for more than a preview reads. */
      counts: updateCountsSchema.nullable(),
    })
    .nullable(),
  /** null unless the connection has an overlay, which is joined to the rows. */
  overlay: z
    .object({
      /** null for a file that is longer than what a preview reads, and if the two cannot be joined. */
      counts: joinCountsSchema.nullable(),
      /** Why they cannot be joined: the rows are those of the first address alone. */
      problem: z.string().nullable(),
    })
    .nullable(),
})
export type SourcePreview = z.infer<typeof sourcePreviewSchema>
