import type { ScratchFile } from '../../storage/scratch-file'
import type { FileTasks, MatchingTask, MergedFileTask, PartFileTask } from '../file-readers'
import { NO_MATCHING, readMatching } from '../merged/matching'
import { mergeParts } from '../merged/merge-parts'
import { writePart } from '../merged/write-part'
import { withStoredFiles } from './keyed-tasks'
import type { TaskContext } from './task-context'

export async function partFile(
  { file, draft, matching: matchingFile, ...options }: PartFileTask,
  context: TaskContext,
): Promise<FileTasks['partFile']['result']> {
  const { files: taskFiles, signal } = context
  return writeAll(context, [draft], async ([output]) => {
    const facts = await withStoredFiles(context, async (files) => {
      const matching =
        matchingFile === null
          ? NO_MATCHING
          : await readMatching(files.at(matchingFile).read(), options.prefix, signal)
      const openRun = () => taskFiles.openScratch(`${draft}-runs`)
      return writePart(files.at(file).read, { ...options, matching, openRun, signal }, output.write)
    })
    return { ...facts, content: await output.finish() }
  })
}

export async function mergedFile(
  { parts, drafts, ...options }: MergedFileTask,
  context: TaskContext,
): Promise<FileTasks['mergedFile']['result']> {
  const paths = [drafts.rows, drafts.keys, drafts.unmatched] as const
  return writeAll(context, paths, async ([rows, keys, unmatched]) => {
    const facts = await withStoredFiles(context, (files) =>
      mergeParts(
        parts.map(({ file, sizeBytes, ...part }) => ({
          ...part,
          file: { readAt: files.at(file).readAt, sizeBytes },
        })),
        { ...options, signal: context.signal },
        { rows: rows.write, keys: keys.write, unmatched: unmatched.write },
      ),
    )
    return {
      ...facts,
      content: await rows.finish(),
      keys: await keys.finish(),
      unmatched: await unmatched.finish(),
    }
  })
}

export const matching = ({ file }: MatchingTask, context: TaskContext) =>
  withStoredFiles(context, async (files) => {
    const { counts } = await readMatching(files.at(file).read(), null, context.signal)
    return counts
  })

type Scratches<Paths extends readonly string[]> = { [Place in keyof Paths]: ScratchFile }

/** Opens scratch files for `write`, which are discarded if it fails. */
async function writeAll<const Paths extends readonly string[], Result>(
  { files }: TaskContext,
  paths: Paths,
  write: (opened: Scratches<Paths>) => Promise<Result>,
): Promise<Result> {
  const opened: ScratchFile[] = []
  try {
    for (const path of paths) opened.push(await files.openScratch(path))
    return await write(opened as Scratches<Paths>)
  } catch (error) {
    await Promise.all(opened.map((file) => file.discard()))
    throw error
  }
}
