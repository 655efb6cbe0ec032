import type { ScratchFile } from '../../../storage/scratch-file'
import type { WrittenContent } from '../../file-readers'
import type { SourceContent } from '../../sources/source'
import { localFiles, type OpenFile } from '../../task-files'
import { HEAD_BYTES, type AnswerValue, type FileRequest } from './messages'
import type { Grants } from './task-grants'

/** More than any task opens at a time. */
const MAX_FILES = 32
/** What a task may write beyond 40 times what it has read: more than any file of its kind needs. */
const WRITTEN_FREE_BYTES = 256 * 1024 * 1024
const WRITTEN_PER_BYTE = 40

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

/** @param fills the scratch file to which the source is written as it is read, if there is one */
export function createFileDesk(
  { reads, writes }: Grants,
  content: SourceContent | undefined,
  fills: string | undefined,
): FileDesk {
  const sources = new Map<number, OpenFile>()
  const scratches = new Map<number, ScratchFile>()
  const finished = new Map<string, WrittenContent>()
  let lastNumber = 0
  let opened = 0
  let isClosed = false
  let readBytes = 0
  let writtenBytes = 0
  let body: AsyncIterator<readonly Buffer[]> | undefined
  let filled: ScratchFile | undefined

  const add = <File>(files: Map<number, File>, file: File) => {
    files.set(++lastNumber, file)
    return lastNumber
  }
  const scratchOf = (number: number) => found(scratches.get(number))
  const takeRoom = () => {
    if (opened >= MAX_FILES) throw refused('Too many files')
    opened++
  }
  const openScratch = async (path: string) => {
    finished.delete(path)
    return localFiles.openScratch(path)
  }

  async function readBody(): Promise<Answer> {
    if (!content) throw refused('The task has no source')
    body ??= content.body[Symbol.asyncIterator]()
    const next = await body.next()
    if (isClosed) throw refused('The task has ended')
    if (next.done) return { value: { isEnd: true } }
    for (const { length } of next.value) readBytes += length
    if (fills !== undefined) {
      filled ??= await openScratch(fills)
      for (const piece of next.value) await filled.write(piece)
    }
    return { value: {}, bytes: next.value }
  }

  const actions: {
    [Kind in FileRequest['kind']]: (
      request: FileRequest & { kind: Kind },
      bytes: readonly Buffer[],
    ) => Promise<Answer>
  } = {
    body: readBody,
    async open({ path }) {
      takeRoom()
      if (!reads.includes(path)) throw refused('The task has no such file')
      const source = await localFiles.open(path)
      const head = Buffer.allocUnsafe(HEAD_BYTES)
      const length = await source.readAt(head, 0)
      readBytes += length
      if (length === HEAD_BYTES) return { value: { file: add(sources, source) }, bytes: [head] }
      opened--
      await source.close()
      return { value: {}, bytes: [head.subarray(0, length)] }
    },
    async openScratch({ path }) {
      takeRoom()
      if (!isScratchOf(path, writes)) throw refused('The task has no such scratch file')
      if (path !== fills) return { value: { file: add(scratches, await openScratch(path)) } }
      filled ??= await openScratch(path)
      return { value: { file: add(scratches, filled), isFilled: true } }
    },
    async read({ file, position, length }) {
      const source = found(sources.get(file) ?? scratches.get(file))
      const target = Buffer.allocUnsafe(length)
      const bytesRead = await source.readAt(target, position)
      readBytes += bytesRead
      return { value: {}, bytes: [target.subarray(0, bytesRead)] }
    },
    async write({ file }, bytes) {
      const scratch = scratchOf(file)
      for (const { length } of bytes) writtenBytes += length
      if (writtenBytes > WRITTEN_FREE_BYTES + WRITTEN_PER_BYTE * readBytes)
        throw refused('The task has written too much')
      if (scratch === filled) throw refused('The source is written as it is read')
      for (const piece of bytes) await scratch.write(piece)
      return { value: {} }
    },
    async finish({ file }) {
      const scratch = scratchOf(file)
      scratches.delete(file)
      opened--
      const written = await scratch.finish()
      finished.set(scratch.path, written)
      return { value: { content: written } }
    },
    async close({ file }) {
      const source = found(sources.get(file))
      sources.delete(file)
      opened--
      await source.close()
      return { value: {} }
    },
    async discard({ file }) {
      const scratch = scratchOf(file)
      scratches.delete(file)
      opened--
      await scratch.discard()
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
      const unfinished = new Set(scratches.values())
      if (filled && !finished.has(filled.path)) unfinished.add(filled)
      await Promise.allSettled([
        ...[...sources.values()].map((source) => source.close()),
        ...[...unfinished].map((scratch) => scratch.discard()),
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
