import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'

import type { StoredFile } from './file-store'

const READ_SIZE = 256 * 1024
/** Large, because each write is a trip to another thread. */
const blocks = createBlockPool(512 * 1024)

/** A scratch file that is being written. */
export interface ScratchFile {
  path: string
  /** The caller may reuse the chunk's memory once this has settled. */
  write(chunk: Uint8Array): Promise<void>
  /** Reads what has been written so far, from the beginning; may be called more than once. */
  read(): AsyncIterable<Uint8Array>
  /** Fills `target` with what has been written from `position` on; returns how many bytes there were. */
  readAt(target: Uint8Array, position: number): Promise<number>
  /** Closes the file and returns its hash and size. */
  finish(): Promise<StoredFile>
  /** Closes the file and removes it. */
  discard(): Promise<void>
}

/** Creates the file at `path`, or empties it if it exists. */
export async function openScratchFile(path: string): Promise<ScratchFile> {
  const handle = await open(path, 'w+', 0o600)
  const hash = createHash('sha256')
  const output = createWriteBehind((block) => writeFully(handle, block), blocks)
  let sizeBytes = 0
  return {
    path,
    async write(chunk) {
      hash.update(chunk)
      sizeBytes += chunk.byteLength
      await output.add(chunk)
    },
    async *read() {
      await output.flush()
      yield* createReadStream(path, { highWaterMark: READ_SIZE })
    },
    async readAt(target, position) {
      await output.flush()
      return readFully(handle, target, position)
    },
    async finish() {
      try {
        await output.end((rest) => writeFully(handle, rest))
      } finally {
        await handle.close()
      }
      return { sha256: hash.digest('hex'), sizeBytes }
    },
    async discard() {
      await output.abandon()
      await handle.close()
      await rm(path, { force: true })
    },
  }
}

/** Writes all of a body to the file at `path`; removes it again if that fails. */
export async function fillScratchFile(
  path: string,
  body: AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  const file = await openScratchFile(path)
  try {
    for await (const chunk of body) await file.write(chunk)
  } catch (error) {
    await file.discard()
    throw error
  }
  return file.finish()
}

const NOTHING = new Uint8Array()

/** As many as a few small files that are written at a time need. */
const SPARE_BLOCKS = 4

type BlockPool = { take(): Buffer; give(block: Buffer | undefined): void }

/** Blocks of memory that are used again: new ones take longer than writing a small file. */
export function createBlockPool(blockBytes: number): BlockPool {
  const spare: Buffer[] = []
  return {
    take: () => spare.pop() ?? Buffer.allocUnsafeSlow(blockBytes),
    give(block) {
      if (block && spare.length < SPARE_BLOCKS) spare.push(block)
    },
  }
}

/**
 * Collects chunks in one of two blocks, and writes a full one while the other is filled. A write that
 * fails rejects one of the next calls.
 */
export function createWriteBehind(write: (block: Uint8Array) => Promise<unknown>, pool: BlockPool) {
  let block: Buffer | undefined
  let other: Buffer | undefined
  let length = 0
  let writing: Promise<unknown> = Promise.resolve()

  async function startWriting(filled: Buffer): Promise<void> {
    await writing
    writing = write(filled.subarray(0, length))
    writing.catch(() => undefined)
    ;[block, other] = [other, block]
    length = 0
  }
  async function flush(): Promise<void> {
    if (block && length > 0) await startWriting(block)
    await writing
  }
  function giveBlocks(): void {
    pool.give(block)
    pool.give(other)
    block = other = undefined
  }
  return {
    async add(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.byteLength;) {
        block ??= pool.take()
        const part = chunk.subarray(at, at + block.length - length)
        block.set(part, length)
        length += part.byteLength
        at += part.byteLength
        if (length === block.length) await startWriting(block)
      }
    },
    flush,
    /** Has the rest written, which may be nothing; nothing may be added any more. */
    async end<Ended>(writeLast: (rest: Uint8Array) => Promise<Ended>): Promise<Ended> {
      await writing
      const ended = await writeLast(block?.subarray(0, length) ?? NOTHING)
      giveBlocks()
      return ended
    },
    /** Writes nothing more; nothing may be added any more. */
    async abandon(): Promise<void> {
      await writing.catch(() => undefined)
      giveBlocks()
    },
  }
}

/** Reads into `target` as much as the file has from `position` on; returns how many bytes. */
export async function readFully(
  handle: FileHandle,
  target: Uint8Array,
  position: number,
): Promise<number> {
  let length = 0
  while (length < target.byteLength) {
    const rest = target.byteLength - length
    const { bytesRead } = await handle.read(target, length, rest, position + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return length
}

async function writeFully(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let offset = 0
  while (offset < chunk.byteLength) {
    const { bytesWritten } = await handle.write(chunk, offset)
    offset += bytesWritten
  }
}
