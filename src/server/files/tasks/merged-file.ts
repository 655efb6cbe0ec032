import { AUTOMATIC_READING } from '../../../shared/automatic-reading'
import type { FileProblem } from '../../../shared/schemas/file'
import type { ScratchFile } from '../../storage/scratch-file'
import type { FileReport } from '../ingest'
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
