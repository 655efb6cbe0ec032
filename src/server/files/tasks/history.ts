import type { ScratchFile } from '../../storage/scratch-file'
import type { FileTasks, HistoryFile } from '../file-readers'
import { foldHistory, joinHistory } from '../history/fold-history'
import { readItems } from '../history/item-records'
import { createRecordWriter, type RecordWriter } from '../history/record-writer'
import { writeChanges } from '../history/write-changes'
import { RECORD_BYTES } from '../keys/key-records'
import { createRecordReader } from '../keys/record-reader'
import { createYielder } from '../yield-to-event-loop'
import { withStoredFiles } from './keyed-tasks'
import type { TaskContext } from './task-context'

/** All buffers of stored files together: 4 MB. */
const BUFFERED_RECORDS = 128 * 1024
const READ_BYTES = 256 * 1024

type Task<Kind extends keyof FileTasks> = (
  task: FileTasks[Kind]['task'],
  context: TaskContext,
) => Promise<FileTasks[Kind]['result']>

/** Writes what the items of a version have become since the last one of a history, or its first state. */
export const historyChanges: Task<'historyChanges'> = async (
  { file, state, changes, draft, time, columns },
  context,
) => {
  const { files, signal } = context
  return withDrafts(files.openScratch, async (openDraft) =>
    withStoredFiles(context, async (stored) => {
      const found = await readItems(stored.at(file).read, {
        ...columns,
        time,
        openDraft: (content) => openDraft(`${draft}-${content}`),
        signal,
      })
      if (!found) return { found: null }
      const { draft: items, count, priceColumn, priceMark } = found
      const kept = [...(state ? [state] : []), ...changes]
      const readers = createReaders(stored, kept, kept.length + 1)
      const itemReader = createRecordReader(
        items.readAt,
        { start: 0, end: count * RECORD_BYTES },
        Math.floor(BUFFERED_RECORDS / (kept.length + 1)),
      )
      const written = await openDraft(draft)
      const writer = createRecordWriter(written.write)
      await writeChanges(
        {
          state: state ? (readers[0] ?? null) : null,
          changes: state ? readers.slice(1) : readers,
          items: itemReader,
          time,
          onRead: createOnRead(signal),
        },
        writer,
      )
      return {
        found: { itemCount: count, priceColumn, priceMark, ...(await finish(written, writer)) },
      }
    }),
  )
}

/** Writes the state that changes have led to, and what was before them. */
export const historyFold: Task<'historyFold'> = async (
  { state, changes, drafts, forgetBefore },
  context,
) => {
  const { files, signal } = context
  return withDrafts(files.openScratch, async (openDraft) =>
    withStoredFiles(context, async (stored) => {
      const [stateReader, ...readers] = createReaders(stored, [state, ...changes])
      if (!stateReader) throw new Error('A history has no state')
      const [newState, past] = [await openDraft(drafts.state), await openDraft(drafts.past)]
      const output = {
        state: createRecordWriter(newState.write),
        past: createRecordWriter(past.write),
      }
      const onRead = createOnRead(signal)
      await foldHistory({ state: stateReader, changes: readers, forgetBefore, onRead }, output)
      return {
        state: await finish(newState, output.state),
        past: await finish(past, output.past),
      }
    }),
  )
}

/** Writes one file in place of several of a kind. */
export const historyJoin: Task<'historyJoin'> = async ({ parts, thinBefore, draft }, context) => {
  const { files, signal } = context
  return withDrafts(files.openScratch, async (openDraft) =>
    withStoredFiles(context, async (stored) => {
      const written = await openDraft(draft)
      const writer = createRecordWriter(written.write)
      const onRead = createOnRead(signal)
      await joinHistory({ files: createReaders(stored, parts), thinBefore, onRead }, writer)
      return finish(written, writer)
    }),
  )
}

function createOnRead(signal: AbortSignal) {
  const yieldToEventLoop = createYielder(signal)
  return () => yieldToEventLoop(READ_BYTES)
}

type Stored = Parameters<Parameters<typeof withStoredFiles>[1]>[0]

const createReaders = (stored: Stored, parts: readonly HistoryFile[], sharers = parts.length) =>
  parts.map(({ path, records }) =>
    createRecordReader(
      stored.at(path).readAt,
      { start: 0, end: records * RECORD_BYTES },
      Math.floor(BUFFERED_RECORDS / sharers),
    ),
  )

async function finish(draft: ScratchFile, writer: RecordWriter) {
  const { first, last } = writer.times()
  return { content: await draft.finish(), records: writer.count(), first, last }
}

/** Scratch files that `use` has not finished are removed; discarding one that is finished removes nothing that is stored. */
async function withDrafts<Result>(
  open: (path: string) => Promise<ScratchFile>,
  use: (open: (path: string) => Promise<ScratchFile>) => Promise<Result>,
): Promise<Result> {
  const opened = new Set<ScratchFile>()
  try {
    return await use(async (path) => {
      const draft = await open(path)
      const { finish: finishDraft } = draft
      opened.add(draft)
      return {
        ...draft,
        finish: async () => {
          opened.delete(draft)
          return finishDraft()
        },
      }
    })
  } finally {
    await Promise.all([...opened].map((draft) => draft.discard()))
  }
}
