import type { ScratchFile } from '../../../storage/scratch-file'
import { localFiles } from '../../task-files'
import { writeAtOnce } from './files-at-once'

const HELD_BYTES = 256 * 1024

/**
 * A scratch file that is on the disk once it has become large, is read, or is finished: a small one is written at once.
 * Chunks must not change any more.
 */
export function createLateScratch(path: string): ScratchFile {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let opened: Promise<ScratchFile> | undefined

  async function openWithHeld(): Promise<ScratchFile> {
    const scratch = await localFiles.openScratch(path)
    for (const chunk of held) await scratch.write(chunk)
    held = []
    return scratch
  }
  const open = () => (opened ??= openWithHeld())
  return {
    path,
    async write(chunk) {
      heldBytes += chunk.byteLength
      if (opened || heldBytes > HELD_BYTES) await (await open()).write(chunk)
      else held.push(chunk)
    },
    async *read() {
      yield* (await open()).read()
    },
    readAt: async (target, position) => (await open()).readAt(target, position),
    finish: async () => (opened ? (await opened).finish() : writeAtOnce(path, held)),
    async discard() {
      await (await opened)?.discard()
    },
  }
}
