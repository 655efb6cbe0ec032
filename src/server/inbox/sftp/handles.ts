import { Refused } from '../parent'
import type { Node, OpenFile } from './trees'

type Handle =
  | { kind: 'file'; file: OpenFile }
  /** `nodes` are those that are still to be told; undefined before the first. */
  | { kind: 'folder'; nodes: Node[] | undefined; path: string }

export type Handles = ReturnType<typeof createHandles>

/** What a client has open, by the handles that it is told. */
export function createHandles(max: number) {
  const handles = new Map<number, Handle>()
  let last = 0
  const find = (bytes: Buffer) =>
    bytes.length === 4 ? handles.get(bytes.readUInt32BE()) : undefined

  return {
    /** @throws Refused when too much is open */
    requireRoom(): void {
      if (handles.size < max) return
      throw new Refused('failed', `At most ${max} files can be open at once.`)
    },
    add(handle: Handle): Buffer {
      const number = ++last
      handles.set(number, handle)
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(number)
      return bytes
    },
    /** @throws Refused unless it is an open file */
    requireFile(bytes: Buffer): OpenFile {
      const handle = find(bytes)
      if (handle?.kind !== 'file') throw new Refused('failed', 'This file is not open.')
      return handle.file
    },
    /** @throws Refused unless it is an open folder */
    requireFolder(bytes: Buffer): Handle & { kind: 'folder' } {
      const handle = find(bytes)
      if (handle?.kind !== 'folder') throw new Refused('failed', 'This folder is not open.')
      return handle
    },
    /** Takes a handle back. */
    remove(bytes: Buffer): Handle {
      const handle = find(bytes)
      if (!handle) throw new Refused('failed', 'This file is not open.')
      handles.delete(bytes.readUInt32BE())
      return handle
    },
    clear: () => handles.clear(),
  }
}
