import { open } from 'node:fs/promises'

import { openScratchFile, readFully, type ScratchFile } from '../storage/scratch-file'
import type { ReadAt } from './keys/record-reader'

/** A file that a task reads. */
export interface OpenFile {
  readAt: ReadAt
  /** Reads the file from a byte on. */
  read(start?: number): AsyncIterable<Buffer>
  close(): Promise<void>
}

/** The files of a task. A process that reads what others sent has no others. */
export interface TaskFiles {
  /** Opens a stored file. */
  open(path: string): Promise<OpenFile>
  /** Creates a scratch file, or empties it if it exists. */
  openScratch(path: string): Promise<ScratchFile>
}

const READ_BYTES = 64 * 1024

/** The files of this machine. */
export const localFiles: TaskFiles = {
  openScratch: openScratchFile,
  async open(path) {
    const handle = await open(path, 'r')
    return {
      readAt: (target, position) => readFully(handle, target, position),
      async *read(start = 0) {
        for (let position = start; ;) {
          const chunk = Buffer.allocUnsafe(READ_BYTES)
          const { bytesRead } = await handle.read(chunk, 0, READ_BYTES, position)
          if (bytesRead === 0) return
          yield chunk.subarray(0, bytesRead)
          position += bytesRead
        }
      },
      close: () => handle.close(),
    }
  },
}
