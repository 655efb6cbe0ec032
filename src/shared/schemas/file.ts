import { z } from 'zod'

import { GUESSED_SETTINGS } from '../automatic-reading'
import { RECEIVED_WAYS } from '../constants'
import { DELIMITERS } from '../delimiters'
import { COMPRESSIONS, TABLE_FORMS } from '../table-forms'
import { joinCountsSchema } from './overlay'
import { instantSchema } from './primitives'
import { recordPlaceSchema } from './record-place'
import { updateCountsSchema } from './updates'

/** Where the table of a source is, if it is not the whole file. */
export const originSchema = z.object({
  form: z.enum(TABLE_FORMS),
  /** The sheets that were read, if it is a workbook. */
  sheets: z.array(z.string()),
  /** The path of the file in an archive; null if the source is none. */
  member: z.string().nullable(),
  /** The records that were read, if it is an XML or JSON document. */
  records: recordPlaceSchema.nullable().default(null),
})
export type Origin = z.infer<typeof originSchema>

/** The detected format of a source. */
export const dialectSchema = z.object({
  /** IANA name in lower case: `utf-8`, `windows-1250`, `utf-16le` … */
  encoding: z.string(),
  hasByteOrderMark: z.boolean(),
  /** A blank stands for runs of them. */
  delimiter: z.enum(DELIMITERS),
  /** Whether `"` encloses cells; otherwise it is an ordinary character (such as an inch mark). */
  isQuoted: z.boolean(),
  hasHeader: z.boolean(),
  compression: z.enum(COMPRESSIONS),
  /** Absent for a plain CSV file. */
  origin: originSchema.optional(),
  /** The name of the file that fits its address; absent unless that has a pattern. */
  fileName: z.string().optional(),
})
export type Dialect = z.infer<typeof dialectSchema>

/** How a file came that somebody has sent. */
export const receiptSchema = z.object({
  fileName: z.string(),
  isByLink: z.boolean(),
  /** How it came, if neither a user nor an upload link has sent it. */
  way: z.enum(RECEIVED_WAYS).optional(),
})
export type Receipt = z.infer<typeof receiptSchema>

/** Where a stored file came from, besides the address of its connection. */
export const fileSourceSchema = z.object({
  /** null if the table was the whole file. */
  origin: originSchema.nullable(),
  /** The name of the file that was fetched, if its address has a pattern. */
  fileName: z.string().optional(),
  /** null if it was fetched. */
  received: receiptSchema.nullable(),
})
export type FileSource = z.infer<typeof fileSourceSchema>

/** A problem in a source that its supplier should know about. */
export const fileProblemSchema = z.object({
  /** The 1-based line of the source where it first occurred; null for the whole file. */
  line: z.number().int().nullable(),
  message: z.string(),
  /** How often it occurred. */
  count: z.number().int(),
  /** For a guess: the setting of the connection by which the supplier can decide it. */
  setting: z.enum(GUESSED_SETTINGS).optional(),
})
export type FileProblem = z.infer<typeof fileProblemSchema>

/** The category column and the separators in its cells. */
export const categoryReadingSchema = z.object({
  column: z.string().min(1).max(1_000),
  /** Separates the levels of a path: `Clothing > Shirts`. null: paths have one level. */
  pathSeparator: z.enum(['>', '/', '»']).nullable(),
  /** Separates several categories of one row. null: a cell is one category. */
  listSeparator: z.enum(['|', ';', ',']).nullable(),
})
export type CategoryReading = z.infer<typeof categoryReadingSchema>

/** A distinct raw cell of the category column, with the number of rows that have it. */
const categoryCountSchema = z.object({ cell: z.string(), rows: z.number().int() })
export type CategoryCount = z.infer<typeof categoryCountSchema>

export const previewRowsSchema = z.object({
  /** The names of the first columns, as many as previews show. */
  columns: z.array(z.string()),
  /** The number of columns in the file. */
  columnCount: z.number().int(),
  /** The first rows, with the cells of those columns trimmed and cut to a maximum length. */
  rows: z.array(z.array(z.string())),
})

/** A published file, as its supplier or a retailer gets it. */
const publishedFileSchema = z.object({
  fileName: z.string(),
  rowCount: z.number().int(),
  /** When the supplier published it, or when it became the retailer's. */
  downloadDate: instantSchema,
  /** When it was last known to be what the source has: fetched, or reported as unchanged. */
  dataAsOf: instantSchema,
  fileSize: z.number().int(),
  downloadUrl: z.string(),
})

/** The preview of a published file, from the head rows stored at sync time. */
export const inventoryPreviewSchema = previewRowsSchema.extend({
  ...publishedFileSchema.shape,
  /** The columns that have the SKUs and the quantities; null for one that is not there. */
  skuColumn: z.string().nullable(),
  quantityColumn: z.string().nullable(),
})
export type InventoryPreview = z.infer<typeof inventoryPreviewSchema>

/** A file that the supplier has published after the one that a retailer gets now. */
export const newerFileSchema = z.object({
  publishedAt: instantSchema,
  /**
   * Why the retailer does not get it yet. frequency: its supplier has set how often its file changes.
   * processing, failed: its rows are being selected, or could not be.
   */
  reason: z.enum(['frequency', 'processing', 'failed']),
  /** When the retailer may get it; null if that does not depend on time. */
  updatesAt: instantSchema.nullable(),
})
export type NewerFile = z.infer<typeof newerFileSchema>

const retailerFields = {
  newerFile: newerFileSchema.nullable(),
  /** When this file may next be another one; null if that does not depend on time alone. */
  nextUpdateAt: instantSchema.nullable(),
  /** Whether the supplier's data are as new as they should be. */
  freshness: z.enum(['on-time', 'late', 'overdue']),
}

const categoryChangesSchema = z.object({
  count: z.number().int(),
  /** The first of them, as paths; categories below another of them are not listed. */
  names: z.array(z.string()),
})
export type CategoryChanges = z.infer<typeof categoryChangesSchema>

/** How a retailer's file differs from the one that it had before. */
export const changeSummarySchema = z.object({
  rowCount: z.number().int(),
  previousRowCount: z.number().int(),
  previousDataAsOf: instantSchema,
  /** null when one of the files has no category column, or too many categories. */
  appeared: categoryChangesSchema.nullable(),
  vanished: categoryChangesSchema.nullable(),
})
export type ChangeSummary = z.infer<typeof changeSummarySchema>

/** How many rows a retailer's file had since it became the retailer's. */
export const rowCountSchema = z.object({ at: instantSchema, rows: z.number().int() })

/** A download by a retailer. */
export const downloadRecordSchema = z.object({
  id: z.number().int(),
  downloadedAt: instantSchema,
  fileName: z.string(),
  /** As in the file when it was downloaded. */
  dataAsOf: instantSchema,
  rowCount: z.number().int(),
  fileSize: z.number().int(),
  /** The family of the browser or program: `Firefox`, `curl`. */
  client: z.string(),
})
export type DownloadRecord = z.infer<typeof downloadRecordSchema>

/** The preview of the file that a retailer gets now. */
export const retailerPreviewSchema = inventoryPreviewSchema.extend({
  ...retailerFields,
  /** Whether the file itself is an Excel workbook. */
  isWorkbook: z.boolean(),
})
export type RetailerPreview = z.infer<typeof retailerPreviewSchema>

export const fileListingSchema = z.object({
  files: z.array(
    z.object({
      fileName: z.string(),
      downloadDate: instantSchema,
      fileSize: z.number().int(),
      rowCount: z.number().int(),
    }),
  ),
})
export type FileListing = z.infer<typeof fileListingSchema>

/** What the sync that published a file found in its source. */
export const sourceFindingsSchema = z.object({
  fileName: z.string(),
  publishedAt: instantSchema,
  rowCount: z.number().int(),
  columnCount: z.number().int(),
  dialect: dialectSchema,
  problems: z.array(fileProblemSchema),
  /** False when the source was canonical already and was published unchanged. */
  isRewritten: z.boolean(),
  categoryReading: categoryReadingSchema.nullable(),
  /** Cells that show how categories are split. */
  categoryExamples: z.array(z.string()),
  /** What the update did, if the source was one. */
  update: updateCountsSchema.nullable(),
  /** What came of joining the file of a second address, if there is one. */
  joined: joinCountsSchema.nullable(),
})
export type SourceFindings = z.infer<typeof sourceFindingsSchema>

export const messageSchema = z.object({ message: z.string() })

export const latestFileSchema = z.union([publishedFileSchema.extend(retailerFields), messageSchema])
export type LatestFile = z.infer<typeof latestFileSchema>
