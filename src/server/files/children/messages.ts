import { z } from 'zod'

import {
  CATEGORY_EXAMPLES,
  COLUMN_NAME_MAX_LENGTH,
  HEAD_COLUMNS,
  HEAD_ROWS,
} from '../../../shared/constants'
import { columnNumbersSchema } from '../../../shared/schemas/column-numbers'
import { foundStockTextsSchema } from '../../../shared/schemas/column-policy'
import { columnChangesSchema, comparisonSchema } from '../../../shared/schemas/comparison'
import { sourcePreviewSchema } from '../../../shared/schemas/connection'
import {
  type CategoryCount,
  categoryReadingSchema,
  dialectSchema,
  fileProblemSchema,
} from '../../../shared/schemas/file'
import { FILE_ERROR_CODES } from '../file-error'
import type { FileTasks, TaskKind } from '../file-readers'
import type { FileReport } from '../ingest'
import { MAX_QUANTITY_COLUMNS } from '../read/quantities/quantity-column'

/** The longest message accepted from a child; 500 category cells of 1,000 characters fit. */
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024

/** A child sends its category counts in batches of this size, before its result. */
export const CATEGORIES_PER_MESSAGE = 500
/** The number of distinct category cells that are counted at most. */
const MAX_CATEGORIES = 20_000

/** Longer than any resolvable host name; longer ones are cut. */
export const MAX_HOST_LENGTH = 300

/** A message from the parent to a child. */
export type ToChild =
  | { type: 'start'; kind: TaskKind; task: FileTasks[TaskKind]['task'] }
  | { type: 'abort' }
  /** The parent grants a slot that the child asked for. */
  | { type: 'entered'; slot: number }

const count = z.number().int().nonnegative()
const contentSchema = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), sizeBytes: count })

type ReportWithoutCounts = Omit<FileReport, 'categoryCounts'>

const headRowsSchema = z.array(z.array(z.string()).max(HEAD_COLUMNS)).max(HEAD_ROWS)

const reportSchema = z.object({
  columns: z.array(z.string()).max(HEAD_COLUMNS),
  columnCount: count,
  headRows: headRowsSchema,
  quantity: z.object({ column: z.string(), sum: z.number() }).nullable(),
  numbers: z.array(columnNumbersSchema).max(MAX_QUANTITY_COLUMNS),
  categoryReading: categoryReadingSchema.nullable(),
  categoryExamples: z.array(z.string()).max(CATEGORY_EXAMPLES),
  rowCount: count,
  dialect: dialectSchema,
  problems: z.array(fileProblemSchema),
  isRewritten: z.boolean(),
}) satisfies z.ZodType<ReportWithoutCounts>

/** A response header; the fetcher accepts at most 16 KiB of them together. */
const headerValue = z.string().max(16 * 1024)

const columnName = z.string().max(COLUMN_NAME_MAX_LENGTH)
const keysSchema = z.object({
  content: contentSchema,
  column: columnName,
  quantityColumn: columnName.nullable(),
  keyCount: count,
  repeatedRows: count,
  keylessRows: count,
})

const ingestResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unchanged') }),
  z.object({
    kind: z.literal('file'),
    draft: z.enum(['source', 'rewritten']),
    content: contentSchema,
    keys: keysSchema.nullable(),
    report: reportSchema,
    etag: headerValue.nullable(),
    lastModified: headerValue.nullable(),
    mediaType: headerValue,
  }),
])

const filteredRows = {
  rowCount: count,
  columns: z.array(z.string()).max(HEAD_COLUMNS),
  columnCount: count,
  headRows: headRowsSchema,
  problems: z.array(fileProblemSchema),
}

/** The result of each kind of task; the category counts of an ingest are sent before it. */
export const resultSchemas = {
  ingest: ingestResult,
  preview: z.object({ preview: sourcePreviewSchema, mediaType: headerValue }),
  filter: z.object({ content: contentSchema, ...filteredRows }),
  sample: z.object({ ...filteredRows, isWhole: z.boolean() }),
  stockTexts: foundStockTextsSchema,
  browse: z.object({
    rows: z
      .array(z.object({ number: count, cells: z.array(z.string()).max(HEAD_COLUMNS) }))
      .max(HEAD_ROWS),
    end: z.object({ offset: count, row: count }),
    hasMore: z.boolean(),
  }),
  comparison: z.object({
    difference: comparisonSchema,
    columns: columnChangesSchema.nullable(),
  }),
  comparisonList: z.object({ content: contentSchema, rowCount: count.nullable() }),
  goneItems: z.object({ content: contentSchema.nullable(), count, dropped: count }),
  delta: z.object({ content: contentSchema, rowCount: count.nullable() }),
  compress: z.object({ content: contentSchema }),
}

const failureSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    code: z.enum(FILE_ERROR_CODES),
    message: z.string().max(2_000),
    line: count.optional(),
    retryAfterMs: z.number().optional(),
  }),
  /** An error of the operating system, such as a full disk. */
  z.object({
    kind: z.literal('system'),
    code: z.string().max(100),
    message: z.string().max(2_000),
  }),
  z.object({ kind: z.literal('aborted') }),
  /** A bug: an unexpected error, with its stack. */
  z.object({ kind: z.literal('fault'), message: z.string().max(20_000) }),
])
export type Failure = z.infer<typeof failureSchema>

/** A message from a child to its parent. */
export const fromChildSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('progress'),
    progress: z.object({
      bytes: count,
      rows: count,
      expectedBytes: count.nullable(),
      isReceived: z.boolean().optional(),
    }),
  }),
  /** Asks for a slot at a host, under a number that the child chooses. */
  z.object({ type: z.literal('enter'), slot: count, host: z.string().max(MAX_HOST_LENGTH) }),
  z.object({ type: z.literal('leave'), slot: count }),
  z.object({
    type: z.literal('categories'),
    counts: z.array(z.tuple([z.string(), count])).max(CATEGORIES_PER_MESSAGE),
  }),
  z.object({ type: z.literal('done'), result: z.unknown() }),
  z.object({ type: z.literal('failed'), failure: failureSchema }),
])
export type FromChild = z.infer<typeof fromChildSchema>

/** Collects the category counts that precede a result; `add` throws an Error for too many. */
export function createCategoryList() {
  const counts: CategoryCount[] = []
  return {
    counts,
    add(more: [cell: string, rows: number][]) {
      if (counts.length + more.length > MAX_CATEGORIES) throw new Error('Too many categories')
      for (const [cell, rows] of more) counts.push({ cell, rows })
    },
  }
}
