import type { ScratchFile } from '../../../storage/scratch-file'
import type { WrittenContent } from '../../file-readers'
import type { SourceContent } from '../../sources/source'
import { localFiles, type OpenFile } from '../../task-files'
import { readAtOnce } from './files-at-once'
import { createLateScratch } from './late-scratch'
import { HEAD_BYTES, type AnswerValue, type FileRequest } from './messages'
import type { Grants } from './task-grants'

/** More than any task opens at a time. */
const MAX_FILES = 64
/** What a task may write beyond 40 times what it has read: more than any file of its kind needs. */
const WRITTEN_FREE_BYTES = 256 * 1024 * 1024
const WRITTEN_PER_BYTE = 40

type OpenedFile = Pick<OpenFile, 'readAt' | 'close'>
type Answer = { value: AnswerValue; bytes?: readonly Buffer[] }

/**
 * Reads and writes the files of one task for the process that runs it, which has no files itself: only those
 * that the task names. What is written is hashed here, so that a reader cannot say what it has not written.
 */
export interface FileDesk {
  /** @throws a file system error; FileError of the source; Error for what the task may not do */
  answer(request: FileRequest, bytes: readonly Buffer[]): Promise<Answer>
  /** What a scratch file contains that has been finished. */
  finished(path: string): WrittenContent | undefined
  /** Closes all files, and removes the scratch files that have not been finished. */
  close(): Promise<void>
}

/** @param filled the scratch file to which the source is written as it is read, if there is one */
export function createFileDesk(
  { reads, writes }: Grants,
  content: SourceContent | undefined,
  filled: string | undefined,
): FileDesk {
  const sources = new Map<number, OpenedFile>()
  const scratches = new Map<string, ScratchFile>()
  const finished = new Map<string, WrittenContent>()
  let lastNumber = 0
  let opened = 0
  let isClosed = false
  let readBytes = 0
  let writtenBytes = 0
  let body: AsyncIterator<readonly Buffer[]> | undefined

  const sourceOf = (number: number) => found(sources.get(number))
  const takeRoom = () => {
    if (opened >= MAX_FILES) throw refused('Too many files')
    opened++
  }
  /** A scratch file that is not finished. */
  const toOpened = ({ readAt }: ScratchFile): OpenedFile => ({
    readAt,
    close: async () => undefined,
  })
  function openScratch(path: string): ScratchFile {
    if (!isScratchOf(path, writes)) throw refused('The task has no such scratch file')
    takeRoom()
    finished.delete(path)
    const scratch = createLateScratch(path)
    scratches.set(path, scratch)
    return scratch
  }
  async function write(path: string, bytes: readonly Buffer[]): Promise<ScratchFile> {
    const scratch = scratches.get(path) ?? openScratch(path)
    for (const piece of bytes) await scratch.write(piece)
    return scratch
  }
  async function writeGiven(path: string, bytes: readonly Buffer[]): Promise<ScratchFile> {
    for (const { length } of bytes) writtenBytes += length
    if (writtenBytes > WRITTEN_FREE_BYTES + WRITTEN_PER_BYTE * readBytes)
      throw refused('The task has written too much')
    if (path === filled && bytes.length > 0) throw refused('The source is written as it is read')
    return write(path, bytes)
  }
  function forget(path: string): void {
    if (scratches.delete(path)) opened--
  }

  const actions: {
    [Kind in FileRequest['kind']]: (
      request: FileRequest & { kind: Kind },
      bytes: readonly Buffer[],
    ) => Promise<Answer>
  } = {
    async body() {
      if (!content) throw refused('The task has no source')
      body ??= content.body[Symbol.asyncIterator]()
      const next = await body.next()
      if (isClosed) throw refused('The task has ended')
      if (next.done) return { value: { isEnd: true } }
      for (const { length } of next.value) readBytes += length
      if (filled !== undefined) await write(filled, next.value)
      return { value: {}, bytes: next.value }
    },
    async open({ path }) {
      const scratch = scratches.get(path)
      if (!scratch && !reads.includes(path) && !finished.has(path)) {
        throw refused('The task has no such file')
      }
      const whole = scratch ? undefined : readAtOnce(path, HEAD_BYTES)
      if (whole) {
        readBytes += whole.length
        return { value: {}, bytes: [whole] }
      }
      takeRoom()
      const source = scratch ? toOpened(scratch) : await localFiles.open(path)
      const head = Buffer.allocUnsafe(HEAD_BYTES)
      const length = await source.readAt(head, 0)
      readBytes += length
      if (length === HEAD_BYTES) {
        sources.set(++lastNumber, source)
        return { value: { file: lastNumber }, bytes: [head] }
      }
      opened--
      await source.close()
      return { value: {}, bytes: [head.subarray(0, length)] }
    },
    async read({ file, position, length }) {
      const target = Buffer.allocUnsafe(length)
      const bytesRead = await sourceOf(file).readAt(target, position)
      readBytes += bytesRead
      return { value: {}, bytes: [target.subarray(0, bytesRead)] }
    },
    async close({ file }) {
      const source = sourceOf(file)
      sources.delete(file)
      opened--
      await source.close()
      return { value: {} }
    },
    async write({ path }, bytes) {
      await writeGiven(path, bytes)
      return { value: {} }
    },
    async finish({ path }, bytes) {
      const scratch = await writeGiven(path, bytes)
      forget(path)
      const written = await scratch.finish()
      finished.set(path, written)
      return { value: { content: written } }
    },
    async discard({ path }) {
      if (!isScratchOf(path, writes)) throw refused('The task has no such scratch file')
      const scratch = scratches.get(path)
      forget(path)
      await scratch?.discard()
      return { value: {} }
    },
  }

  return {
    answer: (request, bytes) =>
      (actions[request.kind] as (one: FileRequest, more: readonly Buffer[]) => Promise<Answer>)(
        request,
        bytes,
      ),
    finished: (path) => finished.get(path),
    async close() {
      isClosed = true
      await Promise.allSettled([
        ...[...sources.values()].map((source) => source.close()),
        ...[...scratches.values()].map((scratch) => scratch.discard()),
      ])
      sources.clear()
      scratches.clear()
    },
  }
}

/** Whether a path is one of a task's scratch files, or named after one: `draft-keys1`. */
const isScratchOf = (path: string, writes: string[]): boolean =>
  writes.some(
    (write) =>
      path === write ||
      (path.startsWith(`${write}-`) && /^[a-z]{1,20}\d{0,3}$/.test(path.slice(write.length + 1))),
  )

function found<File>(file: File | undefined): File {
  if (!file) throw refused('The task has not opened such a file')
  return file
}

const refused = (reason: string) => new DeskRefusal(reason)

/** A request that no task makes: the process is not to be trusted any more. */
export class DeskRefusal extends Error {}
