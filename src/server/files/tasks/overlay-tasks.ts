import { AUTOMATIC_ROLES } from '../../../shared/automatic-reading'
import type { SourcePreview } from '../../../shared/schemas/connection'
import type { FileProblem } from '../../../shared/schemas/file'
import type { ScratchFile } from '../../storage/scratch-file'
import { atAddress } from '../at-address'
import { tooLarge } from '../fetch/body-limits'
import { FileError } from '../file-error'
import type { IngestTask, OverlayTask, PreviewTask, ReadOverlay } from '../file-readers'
import type { FileReport, ingestFile, IngestOptions } from '../ingest'
import { discardPart, ingestPart, type Part, type PartOptions } from '../merge/ingest-part'
import { type Join, joinParts } from '../merge/join-parts'
import { previewFile } from '../preview'
import { csvLine } from '../tables/csv-cell'
import type { OpenedTable } from '../tables/open-table'
import type { OpenFile } from '../task-files'
import {
  describeMerged,
  ingestMerged,
  MERGED_READING,
  only,
  openInTurn,
  type PreviewPart,
} from './merged-file'
import type { TaskContext } from './task-context'
import { withTable } from './with-table'

type Options = IngestOptions<ScratchFile, ScratchFile>
type Ingested = Awaited<ReturnType<typeof ingestFile<ScratchFile, ScratchFile>>>
type PartFile = Part<ScratchFile>

/** The table of a file, how many bytes of it have been read, and the overlay that is joined to it. */
interface JoinedFile {
  table: OpenedTable
  receivedBytes: () => number
  overlay: OverlayTask
}

/**
 * Reads a file and its overlay, and writes what comes of joining them.
 * @throws FileError
 */
export async function ingestJoined(
  { table, receivedBytes, overlay }: JoinedFile,
  { drafts, keys }: Pick<IngestTask, 'drafts' | 'keys'>,
  options: Omit<Options, 'openDraft' | 'keys'>,
  context: TaskContext,
): Promise<Ingested & { overlay: ReadOverlay }> {
  const { signal, onProgress } = context
  const parts: PartFile[] = []
  let readBytes = 0
  try {
    const file = await atAddress('first', () =>
      ingestPart(table.body, {
        ...options,
        roles: keys.roles,
        openDraft: openInTurn(context, {
          rows: [
            table.isContained ? `${drafts.table}-part` : drafts.source,
            `${drafts.rewritten}-part`,
          ],
          keys: [`${drafts.keys}-part`],
          runs: [`${drafts.keyRuns}-part`],
        }),
        onProgress(read) {
          readBytes = read.bytes
          options.onProgress?.(read)
        },
      }),
    )
    parts.push(file)
    const usedBytes = Math.max(readBytes, receivedBytes())
    const other = await readOverlay({ overlay, file, usedBytes }, options, {
      ...context,
      onProgress(read) {
        readBytes = usedBytes + read.bytes
        onProgress?.({ bytes: readBytes, rows: read.rows, expectedBytes: null, isReceived: true })
      },
    })
    parts.push(other)
    const join = await joinParts(file, other, overlay.choices, signal)
    const joined = {
      ...asRows(join, table),
      body: readWhole(join),
      drafts,
      keys,
      onProgress({ bytes, rows }: { bytes: number; rows: number }) {
        onProgress?.({ bytes: readBytes + bytes, rows, expectedBytes: null, isReceived: true })
      },
    }
    const merged = await ingestMerged(joined, options, context)
    const noted = notesOf(other.report)
    const report = describeMerged(file.report, merged.report, { noted, isRewritten: true })
    const { etag = null, lastModified = null } = context.content?.overlay ?? {}
    const read = { counts: join.counts(), replaced: join.replaced, etag, lastModified }
    return { ...merged, report, overlay: read }
  } finally {
    await Promise.all(parts.map(discardPart))
  }
}

/** Joins the rows of a preview with an overlay; of a short file all, and then tells how many those are. */
export async function previewJoined(
  { table, receivedBytes, overlay }: JoinedFile & { overlay: NonNullable<PreviewTask['overlay']> },
  { preview, bytes, draft }: PreviewPart,
  options: Omit<PartOptions<ScratchFile>, 'openDraft' | 'roles'>,
  context: TaskContext,
): Promise<SourcePreview> {
  const { signal } = context
  const parts: PartFile[] = []
  const paths = {
    rows: [`${draft}-part`, `${draft}-rewritten`],
    keys: [`${draft}-keys`],
    runs: [`${draft}-runs`],
  }
  const own = { ...options, roles: overlay.roles, openDraft: openInTurn(context, paths) }
  try {
    const file = await atAddress('first', () => readPreviewed({ preview, bytes }, own))
    parts.push(file)
    const usedBytes = receivedBytes()
    const other = await readOverlay({ overlay, file, usedBytes }, options, context)
    parts.push(other)
    const { choices } = overlay
    const counted = preview.isPartial ? null : await joinParts(file, other, choices, signal)
    await counted?.count()
    const counts = counted?.counts() ?? null
    // Of the first rows of a file nobody knows which keys it does not have.
    const shown = counts ? choices : { ...choices, onlyInOverlay: 'leave-out' as const }
    const join = await joinParts(file, other, shown, signal)
    const joined = await previewFile(join.read(), 'none', {
      reading: MERGED_READING,
      table: { ...asRows(join, table).table, parts: preview.parts },
    })
    const { columns, columnCount, rows, categoryReading, categoryColumns, foundRoles } = joined
    return {
      ...preview,
      columns,
      columnCount,
      rows,
      categoryReading,
      categoryColumns,
      categoryExamples: joined.categoryExamples,
      foundRoles,
      ...(counts && { rowsRead: joined.rowsRead, isPartial: joined.isPartial }),
      problems: [...preview.problems, ...notesOf(other.report), ...ofColumns(joined.problems)],
      overlay: { counts, problem: null },
    }
  } catch (error) {
    // The supplier may have to choose a part of the first file yet.
    if (!(error instanceof FileError)) throw error
    return { ...preview, overlay: { counts: null, problem: error.message } }
  } finally {
    await Promise.all(parts.map(discardPart))
  }
}

/** A short file, or the rows of a preview as if they were all. */
async function readPreviewed(
  { preview, bytes }: Pick<PreviewPart, 'preview' | 'bytes'>,
  options: PartOptions<ScratchFile>,
): Promise<PartFile> {
  if (!preview.isPartial) return ingestPart(only(bytes), options)
  const lines = [preview.columns, ...preview.rows].flatMap((row) => [csvLine(row), LINE_FEED])
  const part = await ingestPart(only(Buffer.concat(lines)), {
    ...options,
    compression: 'none',
    reading: MERGED_READING,
    table: undefined,
    encodingHints: undefined,
    knownHeader: undefined,
  })
  return { ...part, report: { ...part.report, dialect: preview.dialect } }
}

const LINE_FEED = Buffer.from('\n')

/** Reads an overlay; the largest size is that of both files together. */
async function readOverlay(
  { overlay, file, usedBytes }: { overlay: OverlayTask; file: PartFile; usedBytes: number },
  { signal }: Pick<Options, 'signal'>,
  context: TaskContext,
): Promise<PartFile> {
  const content = context.content?.overlay
  if (!content) throw new Error('A task with an overlay has no content of it')
  const maxBytes = context.maxBytes - usedBytes
  if (content.sizeBytes > maxBytes) throw togetherTooLarge(context.maxBytes)
  const { file: path, reading } = overlay
  const hints = { declared: content.charset, previous: null }
  const stored = await context.files.open(path)
  try {
    const body = Object.assign(readPieces(stored), { destroy: () => undefined })
    const source = { ...content, body, isNamedFull: false }
    const address = 'second'
    const scratchOf = (name: string) => `${path}-${name}`
    return await withTable(
      { reading, hints, isPreview: false, address, scratchOf },
      { ...context, content: source, maxBytes },
      (table) =>
        atAddress(address, () =>
          ingestPart(table.body, {
            reading,
            table,
            compression: content.compression,
            encodingHints: hints,
            knownKey: file.keys?.facts.column,
            roles: AUTOMATIC_ROLES,
            openDraft: openInTurn(context, {
              rows: [`${path}-csv`, `${path}-rewritten`],
              keys: [`${path}-keys`],
              runs: [`${path}-runs`],
            }),
            signal,
            onProgress: (read) => context.onProgress?.({ ...read, expectedBytes: null }),
          }),
        ),
    )
  } catch (error) {
    const isTooLarge = error instanceof FileError && error.code === 'too-large'
    throw isTooLarge ? togetherTooLarge(context.maxBytes) : error
  } finally {
    await stored.close()
  }
}

async function* readPieces(file: OpenFile) {
  for await (const chunk of file.read()) yield [chunk]
}

function togetherTooLarge(maxBytes: number): FileError {
  const { code, message } = tooLarge(maxBytes)
  return new FileError(
    code,
    message.replace('The file is', 'The files at both addresses are together'),
  )
}

/** A sync refuses files of which no row belongs to the other one. */
async function* readWhole(join: Join): AsyncGenerator<Buffer> {
  yield* join.read()
  join.counts()
}

/** The joined file as the rows of a table. */
function asRows(join: Join, { rows }: OpenedTable) {
  const { report } = join
  const arePaths = rows?.arePaths ?? false
  return { table: { rows: { read: join.read, width: () => 0, arePaths, report }, report } }
}

/** What is told of an overlay: its settings cannot be chosen where those of the file are. */
const notesOf = ({ problems }: FileReport): FileProblem[] =>
  problems.map(({ line, message, count }) => ({
    line,
    message: `At the second address: ${message}`,
    count,
  }))

const ofColumns = (problems: FileProblem[]) => problems.filter(({ line }) => line === null)
