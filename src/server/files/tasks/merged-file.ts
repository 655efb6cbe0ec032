import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { SourcePreview } from '../../../shared/schemas/connection'
import type { FileProblem } from '../../../shared/schemas/file'
import type { ScratchFile } from '../../storage/scratch-file'
import { limitBytes } from '../fetch/body-limits'
import type { IngestTask } from '../file-readers'
import { type FileReport, ingestFile, type IngestOptions } from '../ingest'
import { createProblemLog } from '../read/problems'
import type { TaskContext } from './task-context'

/** A file that was made of two others is read as it was written. */
export const MERGED_READING = { ...AUTOMATIC_READING, hasHeader: true, skipLines: 0 }

/** Opens scratch files for each content in turn; the last of them again and again. */
export function openInTurn(
  { files }: TaskContext,
  paths: Record<'rows' | 'keys' | 'runs', string[]>,
): (content: keyof typeof paths) => Promise<ScratchFile> {
  return (content) => {
    const [path = '', ...others] = paths[content]
    if (others.length > 0) paths[content] = others
    return files.openScratch(path)
  }
}

type Options = IngestOptions<ScratchFile, ScratchFile>

interface MergedFile extends Pick<Options, 'table' | 'onProgress'> {
  body: AsyncIterable<Buffer>
  drafts: IngestTask['drafts']
  keys: IngestTask['keys']
}

/** Writes a file that was made of two others, as any other file is written. @throws FileError */
export function ingestMerged(
  { body, drafts, keys, ...merged }: MergedFile,
  options: Omit<Options, 'openDraft' | 'keys'>,
  context: TaskContext,
) {
  const openDraft = openInTurn(context, {
    rows: [drafts.table, drafts.rewritten],
    keys: [drafts.keys],
    runs: [drafts.keyRuns],
  })
  return ingestFile<ScratchFile, ScratchFile>(limitBytes(body, context.maxBytes), {
    ...options,
    ...merged,
    openDraft: () => openDraft('rows'),
    keys: { ...keys, openDraft },
    compression: 'none',
    reading: MERGED_READING,
    knownHeader: undefined,
  })
}

/** What a preview has found in a file, of which it has read so many bytes, and a scratch file. */
export interface PreviewPart {
  preview: SourcePreview
  bytes: Buffer
  draft: string
}

export async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/**
 * What is told of a file that was made of what was read.
 * @param noted what else is to be told
 */
export function describeMerged(
  read: FileReport,
  merged: FileReport,
  { noted = [], isRewritten }: { noted?: FileProblem[]; isRewritten: boolean },
): FileReport {
  const problems = createProblemLog()
  // Lines are those of the file that was read; of the merged file, what whole columns show is told.
  const ofColumns = merged.problems.filter(({ line }) => line === null)
  for (const { line, message, ...details } of [...read.problems, ...noted, ...ofColumns]) {
    problems.add(line, message, details)
  }
  return { ...merged, dialect: read.dialect, problems: problems.list(), isRewritten }
}
