import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import { formatCount } from '../../../shared/format'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { SourcePreview } from '../../../shared/schemas/connection'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { ScratchFile } from '../../storage/scratch-file'
import { FileError } from '../file-error'
import type { FileTasks, IngestTask, ReadUpdate, UpdateBase, UpdateTask } from '../file-readers'
import type { ingestFile, IngestOptions } from '../ingest'
import { MAX_KEYED_ROWS } from '../keys/key-file'
import type { ReadAt } from '../keys/record-reader'
import { type OpenedBase, type OpenedUpdate, openUpdate } from '../merge/open-update'
import { createProblemLog } from '../read/problems'
import { createNameTest } from '../tables/names'
import type { OpenedTable } from '../tables/open-table'
import type { OpenFile } from '../task-files'
import { describeMerged, ingestMerged, only, openInTurn, type PreviewPart } from './merged-file'
import type { TaskContext } from './task-context'

type Options = IngestOptions<ScratchFile, ScratchFile>
type Ingested = Awaited<ReturnType<typeof ingestFile<ScratchFile, ScratchFile>>>

/** What is known of a file that may be an update. */
interface UpdateFile {
  table: OpenedTable
  updates: UpdateTask
}

type PreviewedUpdate = NonNullable<FileTasks['preview']['task']['updates']>

/**
 * Reads a file that may be an update, and writes what comes of it and its base.
 * @returns undefined for what was read before
 * @throws FileError
 */
export async function ingestUpdate(
  { table, updates }: UpdateFile,
  { drafts, keys }: Pick<IngestTask, 'drafts' | 'keys'>,
  options: Omit<Options, 'openDraft' | 'keys'>,
  context: TaskContext,
): Promise<(Ingested & { update: ReadUpdate }) | undefined> {
  const { onProgress } = context
  const progress = { received: 0, merged: 0, rows: 0 }
  const report = () => {
    const bytes = progress.received + progress.merged
    onProgress?.({ bytes, rows: progress.rows, expectedBytes: null, isReceived: true })
  }
  const base = await openBase(findBase({ table, updates }, context), context, (bytes) => {
    progress.merged += bytes
    report()
  })
  const draft = table.isContained ? `${drafts.table}-update` : drafts.source
  let update: OpenedUpdate | undefined
  try {
    update = await openUpdate(table.body, {
      ...options,
      reading: readingOf(options, base),
      openDraft: openInTurn(context, {
        rows: [draft, `${drafts.rewritten}-update`],
        keys: [`${drafts.keys}-update`],
        runs: [`${drafts.keyRuns}-update`],
      }),
      base: base?.file ?? null,
      removal: updates.removal,
      roles: keys.roles,
      onProgress(read) {
        progress.received = read.bytes
        options.onProgress?.(read)
      },
    })
    const sha256 = await update.hash()
    if (sha256 === updates.knownSha256) return undefined
    const { rows, isMerged, counts } = await update.merge()
    const file = {
      body: rows.read(),
      table: { rows, report: rows.report },
      drafts,
      keys: { ...keys, roles: rolesOf(keys.roles, base) },
      onProgress(read: { rows: number }) {
        progress.rows = read.rows
        report()
      },
    }
    const merged = await ingestMerged(file, options, context)
    await requireUsable(merged)
    const read = { sha256, counts: counts() }
    const isRewritten = isMerged || update.report.isRewritten
    const described = describeMerged(update.report, merged.report, { isRewritten })
    return { ...merged, report: described, update: read }
  } finally {
    await Promise.all([update?.discard(), base?.close()])
  }
}

/**
 * Adds to a preview what a file would do to its base, if it is short enough to be read to its end.
 * @throws FileError for a file that cannot be used
 */
export async function previewUpdate(
  { table, updates }: { table: OpenedTable; updates: PreviewedUpdate },
  { preview, bytes, draft }: PreviewPart,
  options: Omit<Options, 'openDraft' | 'keys' | 'categoryReading'>,
  context: TaskContext,
): Promise<SourcePreview> {
  const found = findBase({ table, updates }, context)
  if (preview.isPartial) {
    return { ...preview, update: { isFull: found === null, counts: null } }
  }
  const base = await openBase(found, context, () => undefined)
  let update: OpenedUpdate | undefined
  try {
    update = await openUpdate(only(bytes), {
      ...options,
      reading: readingOf(options, base),
      openDraft: openInTurn(context, {
        rows: [`${draft}-update`, `${draft}-rewritten`],
        keys: [`${draft}-keys`],
        runs: [`${draft}-runs`],
      }),
      base: base?.file ?? null,
      removal: updates.removal,
      roles: updates.roles,
    })
    const { rows, count, counts } = await update.merge()
    await count()
    const problems = createProblemLog()
    rows.report(problems)
    return {
      ...preview,
      problems: [...preview.problems, ...problems.list()],
      update: { isFull: found === null, counts: counts() },
    }
  } finally {
    await Promise.all([update?.discard(), base?.close()])
  }
}

/**
 * What a file is merged onto; null for a full file.
 * @throws FileError `first-not-full` when there is nothing to merge it onto
 */
function findBase(
  { table, updates }: Pick<UpdateFile, 'table' | 'updates'>,
  { content }: TaskContext,
): UpdateBase | null {
  if (updates.isFull ?? (content?.isNamedFull || isNamedFull(table, updates))) return null
  const { base } = updates
  if ('file' in base) return base
  throw new FileError('first-not-full', base.whyNone)
}

const isNamedFull = ({ origin }: OpenedTable, { fullName }: UpdateTask): boolean => {
  const path = origin?.member ?? null
  if (fullName === null || path === null) return false
  const fits = createNameTest(fullName)
  return fits(path) || fits(path.slice(path.lastIndexOf('/') + 1))
}

/** Where the published file has a header, an update has one too: a few rows do not show it. */
function readingOf(
  { reading = AUTOMATIC_READING }: Pick<Options, 'reading'>,
  base: { file: OpenedBase } | null,
): SourceReading {
  return { ...reading, hasHeader: reading.hasHeader ?? (base?.file.hasHeader ? true : null) }
}

/** Opens what an update is merged onto, for as long as it is used. */
async function openBase(
  base: UpdateBase | null,
  { files }: TaskContext,
  onRead: (bytes: number) => void,
): Promise<{ file: OpenedBase; close: () => Promise<unknown> } | null> {
  if (!base) return null
  const rows = await files.open(base.file)
  const keys = await files.open(base.keys)
  const counted =
    ({ readAt }: OpenFile): ReadAt =>
    async (target, position) => {
      const length = await readAt(target, position)
      onRead(length)
      return length
    }
  return {
    file: { ...base, readRows: counted(rows), readKeys: counted(keys) },
    close: () => Promise.all([rows.close(), keys.close()]),
  }
}

/** An update does not change by which column items are found. */
const rolesOf = (roles: ColumnRoles, base: { file: OpenedBase } | null): ColumnRoles =>
  base ? { ...roles, sku: base.file.keyColumn } : roles

/** @throws FileError for a file onto which no further update could be merged; it is discarded then */
async function requireUsable({ report: { rowCount }, draft, keys }: Ingested): Promise<void> {
  if (rowCount > 0 && keys) return
  await Promise.all([draft.discard(), keys?.draft.discard()])
  if (rowCount === 0) {
    throw new FileError('no-rows', 'The update removes all items that are published.')
  }
  const [count, most] = [rowCount, MAX_KEYED_ROWS].map(formatCount)
  throw new FileError(
    'update-keys',
    `With this update the published file would have ${count} rows, and at most ${most} can be updated.`,
  )
}
