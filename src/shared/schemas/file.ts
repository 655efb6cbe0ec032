import { z } from 'zod'

import { instantSchema } from './primitives'

/** How a source was written, as detected. */
export const dialectSchema = z.object({
  /** IANA name in lower case: `utf-8`, `windows-1250`, `utf-16le` … */
  encoding: z.string(),
  hasByteOrderMark: z.boolean(),
  delimiter: z.enum([',', ';', '\t', '|', '~']),
  /** Whether `"` encloses cells; without it an inch mark is a character like any other. */
  isQuoted: z.boolean(),
  hasHeader: z.boolean(),
  compression: z.enum(['none', 'gzip']),
})
export type Dialect = z.infer<typeof dialectSchema>

/** Something the supplier should know about its file. */
export const feedProblemSchema = z.object({
  /** 1-based line of the source where it was first seen; null for the file as a whole. */
  line: z.number().int().nullable(),
  message: z.string(),
  /** How often it was seen. */
  count: z.number().int(),
})
export type FeedProblem = z.infer<typeof feedProblemSchema>

/** Which column holds the category, and how its cells are read. */
export const categoryReadingSchema = z.object({
  column: z.string().min(1).max(1_000),
  /** Separates the levels of a path: `Clothing > Shirts`. null: a cell is one name. */
  pathSeparator: z.enum(['>', '/', '»']).nullable(),
  /** Separates several categories of one row. null: a cell is one category. */
  listSeparator: z.enum(['|', ';', ',']).nullable(),
})
export type CategoryReading = z.infer<typeof categoryReadingSchema>

/** A distinct raw cell of the category column, with the number of rows it stands for. */
const categoryCountSchema = z.object({ cell: z.string(), rows: z.number().int() })
export type CategoryCount = z.infer<typeof categoryCountSchema>

export const previewRowsSchema = z.object({
  /** The names of the first columns: as many as previews show. */
  columns: z.array(z.string()),
  /** How many columns the file has. */
  columnCount: z.number().int(),
  /** Cells of those columns, trimmed; long cells are cut, and so is the number of rows. */
  rows: z.array(z.array(z.string())),
})

/** The preview of a published file, from the head rows stored at sync time. */
export const inventoryPreviewSchema = previewRowsSchema.extend({
  fileName: z.string(),
  rowCount: z.number().int(),
  downloadDate: instantSchema,
  fileSize: z.number().int(),
  downloadUrl: z.string(),
})
export type InventoryPreview = z.infer<typeof inventoryPreviewSchema>

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

/** What the sync that made a published file has found in its source. */
export const sourceFindingsSchema = z.object({
  fileName: z.string(),
  publishedAt: instantSchema,
  rowCount: z.number().int(),
  columnCount: z.number().int(),
  dialect: dialectSchema,
  problems: z.array(feedProblemSchema),
  /** False: the source was canonical already, and is published byte for byte. */
  isRewritten: z.boolean(),
  categoryReading: categoryReadingSchema.nullable(),
})
export type SourceFindings = z.infer<typeof sourceFindingsSchema>

export const messageSchema = z.object({ message: z.string() })

export const latestFileSchema = z.union([
  z.object({
    fileName: z.string(),
    downloadDate: instantSchema,
    fileSize: z.number().int(),
    downloadUrl: z.string(),
    rowCount: z.number().int(),
  }),
  messageSchema,
])
export type LatestFile = z.infer<typeof latestFileSchema>
