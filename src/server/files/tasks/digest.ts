import type { ScratchFile } from '../../storage/scratch-file'
import { findDigest, type DigestFile } from '../digest/find-digest'
import type { DigestSide, DigestTask, FileTasks } from '../file-readers'
import { filterFile } from '../filter'
import { keyOutput } from '../keys/key-output'
import { RECORD_BYTES } from '../keys/key-records'
import { judgeCosts } from '../pricing/judge-costs'
import { findColumn } from '../read/categories/category-column'
import { withStoredFiles } from './keyed-tasks'
import type { TaskContext } from './task-context'

/**
 * Counts what has changed in the part of a file that somebody may see: both files are first written as they are seen, so
 * that nothing else can be counted. null when that part has no keys.
 */
export async function digest(
  { older, newer, draft, ...options }: DigestTask,
  context: TaskContext,
): Promise<FileTasks['digest']['result']> {
  const drafts: ScratchFile[] = []
  const { keyColumn } = options
  const { signal } = context
  const openDraft = async () => {
    const opened = await context.files.openScratch(`${draft}-part${drafts.length + 1}`)
    drafts.push(opened)
    return opened
  }
  try {
    return await withStoredFiles(context, async (files) => {
      const open = async ({ keyed, steps }: DigestSide): Promise<DigestFile | null> => {
        const whole = files.at(keyed.file)
        if (steps.length === 0) {
          const readKeys = files.at(keyed.keys).readAt
          return { read: whole.read, readRows: whole.readAt, readKeys, keysBytes: keyed.keysBytes }
        }
        let seen: Pick<typeof whole, 'read' | 'readAt'> = whole
        for (const step of steps) {
          const part = await openDraft()
          const pricing = await judgeCosts(whole.read, step.pricing, signal)
          await filterFile(seen.read(), { ...step, pricing, signal }, part.write)
          seen = part
        }
        const keys = await keyOutput(seen.read(), {
          delimiter: ',',
          keyPlace: (names) => findColumn(names, keyColumn),
          openDraft,
          signal,
        })
        if (!keys) return null
        const { keys: sorted, keyCount } = keys
        return {
          read: seen.read,
          readRows: seen.readAt,
          readKeys: sorted.readAt,
          keysBytes: keyCount * RECORD_BYTES,
        }
      }
      const [before, after] = [await open(older), await open(newer)]
      if (!before || !after) return { digest: null }
      return { digest: await findDigest({ older: before, newer: after }, { ...options, signal }) }
    })
  } finally {
    await Promise.all(drafts.map((part) => part.discard()))
  }
}
