import { z } from 'zod'

import {
  CATEGORY_EXAMPLES,
  COLUMN_NAME_MAX_LENGTH,
  HEAD_COLUMNS,
  HEAD_ROWS,
} from '../../../../shared/constants'
import { columnNumbersSchema, decimalMarkSchema } from '../../../../shared/schemas/column-numbers'
import { foundStockTextsSchema } from '../../../../shared/schemas/column-policy'
import {
  changedItemsPageSchema,
  changeSectionsSchema,
  columnChangesSchema,
  comparisonSchema,
} from '../../../../shared/schemas/comparison'
import { sourcePreviewSchema } from '../../../../shared/schemas/connection'
import { digestChangesSchema } from '../../../../shared/schemas/digest'
import {
  type CategoryCount,
  categoryReadingSchema,
  dialectSchema,
  fileProblemSchema,
} from '../../../../shared/schemas/file'
import { joinCountsSchema } from '../../../../shared/schemas/overlay'
import { updateCountsSchema } from '../../../../shared/schemas/updates'
import {
  MAX_FILTERED_TOGETHER,
  type FileTasks,
  type TaskKind,
  type WrittenContent,
} from '../../file-readers'
import type { FileReport } from '../../ingest'
import { MAX_QUANTITY_COLUMNS } from '../../read/quantities/quantity-column'
import type { SourceContent } from '../../sources/source'
import { type Failure, failureSchema } from '../failure'

/** 500 category cells of 1,000 characters fit into a line, and what is known of eight filtered files. */
export const MESSAGE_LIMITS = { lineBytes: 4 * 1024 * 1024, payloadBytes: 512 * 1024 }

/** How much of a file comes with the answer to its opening: all of most files. */
export const HEAD_BYTES = 128 * 1024

/** A child sends its category counts in batches of this size, before its result. */
export const CATEGORIES_PER_MESSAGE = 500
/** The number of distinct category cells that are counted at most. */
const MAX_CATEGORIES = 20_000

/** A message from the parent to a reader. */
export type ToReader =
  | {
      type: 'start'
      kind: TaskKind
      task: FileTasks[TaskKind]['task']
      content: Omit<SourceContent, 'body'> | undefined
      /** Path of the scratch file to which the parent writes the source itself. */
      filled: string | undefined
    }
  | { type: 'abort' }
  /** Answers a request; the bytes of a file or of the source follow. */
  | { type: 'answer'; id: number; value: AnswerValue }
  | { type: 'refusal'; id: number; failure: Failure }

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

const changesSchema = z.object({
  difference: comparisonSchema.nullable(),
  gone: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('kept'), failure: z.string().max(20_000).nullable() }),
    z.object({ kind: z.literal('written'), content: contentSchema, count, dropped: count }),
  ]),
})

const ingestResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unchanged') }),
  z.object({
    kind: z.literal('known'),
    etag: headerValue.nullable(),
    lastModified: headerValue.nullable(),
  }),
  z.object({
    kind: z.literal('file'),
    draft: z.enum(['source', 'table', 'rewritten']),
    content: contentSchema,
    keys: keysSchema.nullable(),
    changes: changesSchema.nullable(),
    report: reportSchema,
    update: contentSchema
      .pick({ sha256: true })
      .extend({ counts: updateCountsSchema.nullable() })
      .nullable(),
    overlay: z
      .object({
        counts: joinCountsSchema,
        replaced: z.array(columnName).max(HEAD_COLUMNS),
        etag: headerValue.nullable(),
        lastModified: headerValue.nullable(),
      })
      .nullable(),
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

const filteredFile = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('written'), content: contentSchema, ...filteredRows }),
  failureSchema.options[0]
    .pick({ code: true, message: true })
    .extend({ kind: z.literal('refused') }),
])

const historySchema = z.object({
  content: contentSchema,
  records: count,
  first: count,
  last: count,
})

/** The result of each kind of task; the category counts of an ingest are sent before it. */
export const resultSchemas = {
  ingest: ingestResult,
  preview: z.object({ preview: sourcePreviewSchema, mediaType: headerValue }),
  filter: z.object({ files: z.array(filteredFile).min(1).max(MAX_FILTERED_TOGETHER) }),
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
    sections: changeSectionsSchema.nullable(),
  }),
  changedItems: changedItemsPageSchema,
  comparisonList: z.object({ content: contentSchema, rowCount: count.nullable() }),
  goneItems: z.object({ content: contentSchema.nullable(), count, dropped: count }),
  delta: z.object({ content: contentSchema, rowCount: count.nullable() }),
  digest: z.object({ digest: digestChangesSchema.nullable() }),
  historyChanges: z.object({
    found: historySchema
      .extend({
        itemCount: count,
        priceColumn: columnName.nullable(),
        priceMark: decimalMarkSchema.nullable(),
      })
      .nullable(),
  }),
  historyFold: z.object({ state: historySchema, past: historySchema }),
  historyJoin: historySchema,
  partFile: z.object({
    content: contentSchema,
    rowCount: count,
    byGtin: count,
    byMatching: count,
    problems: z.array(fileProblemSchema),
  }),
  mergedFile: z.object({
    content: contentSchema,
    keys: contentSchema,
    unmatched: contentSchema,
    rowCount: count,
    sharedCount: count,
    unmatchedCount: count,
    problems: z.array(fileProblemSchema),
  }),
  matching: z.object({ used: count, unusable: count, repeated: count }),
  compress: z.object({ content: contentSchema }),
  readMail: z.object({
    sender: z.string().max(400).nullable(),
    subject: z.string().max(400).nullable(),
    messageId: z.string().max(1_000).nullable(),
    date: z.string().max(1_000).nullable(),
    dmarc: z.enum(['pass', 'fail', 'none', 'missing']).nullable(),
    file: z.object({ name: z.string().min(1).max(400), content: contentSchema }).nullable(),
    otherFiles: count,
    hasWinmail: z.boolean(),
    mailReport: z.object({ isPermanent: z.boolean(), line: z.string().min(1).max(400) }).nullable(),
  }),
  unlockKey: z.object({ privateKey: z.string().max(32 * 1024) }),
}

const path = z.string().max(10_000)

/** What a reader asks of its parent: nothing else reaches a file or the source. */
const requestSchema = z.discriminatedUnion('kind', [
  /** The next bytes of the source. */
  z.object({ kind: z.literal('body') }),
  /** Opens a file that the task names, or has written. The answer has its first bytes. */
  z.object({ kind: z.literal('open'), path }),
  z.object({
    kind: z.literal('read'),
    file: count,
    position: count,
    length: count.max(MESSAGE_LIMITS.payloadBytes),
  }),
  z.object({ kind: z.literal('close'), file: count }),
  /** Adds the bytes that follow to a scratch file that the task names; the first ones create it. */
  z.object({ kind: z.literal('write'), path }),
  /** Likewise with its last bytes. The answer says what it contains. */
  z.object({ kind: z.literal('finish'), path }),
  z.object({ kind: z.literal('discard'), path }),
])
export type FileRequest = z.infer<typeof requestSchema>

/** What a request is answered with, besides bytes. */
export interface AnswerValue {
  /** The number of the opened file; none if all of it has been sent. */
  file?: number
  content?: WrittenContent
  /** Whether the source has ended. */
  isEnd?: boolean
}

/** A message from a reader to its parent. */
export const fromReaderSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('progress'),
    progress: z.object({
      bytes: count,
      rows: count,
      expectedBytes: count.nullable(),
      isReceived: z.boolean().optional(),
      storedBytes: count.optional(),
    }),
  }),
  z.object({ type: z.literal('ask'), id: count, request: requestSchema }),
  z.object({
    type: z.literal('categories'),
    counts: z.array(z.tuple([z.string(), count])).max(CATEGORIES_PER_MESSAGE),
  }),
  z.object({ type: z.literal('done'), result: z.unknown() }),
  z.object({ type: z.literal('failed'), failure: failureSchema }),
])
export type FromReader = z.infer<typeof fromReaderSchema>

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
