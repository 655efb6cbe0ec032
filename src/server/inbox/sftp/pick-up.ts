import { basename, dirname } from 'node:path/posix'

import { type Entry, PIECE_BYTES } from '../messages'
import { Refused } from '../parent'
import {
  createListing,
  isWriting,
  notThere,
  toFile,
  toFolder,
  type Node,
  type OpenFile,
  type Tree,
  type TreeContext,
} from './trees'

const FOLDER = '/inventory'
const READABLE = 0o444

/** The folder of a retailer, with its file. */
export function createPickUp(context: TreeContext): Tree {
  const { parent, session, nextNumber } = context
  const listEntries = createListing(context)
  const open = new Set<number>()

  const toNode = (entry: Entry): Node => toFile(entry.name, READABLE, entry)

  async function openFile(entry: Entry): Promise<OpenFile> {
    const file = nextNumber()
    const { answer } = await parent.ask({ type: 'open', session, file })
    open.add(file)
    const sizeBytes = answer.type === 'opened' ? answer.sizeBytes : 0
    let piece: { at: number; bytes: Promise<Buffer> } | undefined
    /** The part in which a position is, of which programs read one bit after the other. */
    function readPiece(at: number): Promise<Buffer> {
      const start = at - (at % PIECE_BYTES)
      if (piece?.at !== start) {
        const length = Math.min(PIECE_BYTES, sizeBytes - start)
        const bytes = parent
          .ask({ type: 'read', file, at: start, length })
          .then((read) => Buffer.concat(read.bytes))
        piece = { at: start, bytes }
        bytes.catch(() => (piece = undefined))
      }
      return piece.bytes
    }
    return {
      look: () => toNode({ ...entry, sizeBytes }),
      async read(at, length) {
        if (at >= sizeBytes || length === 0) return undefined
        const offset = at % PIECE_BYTES
        const bytes = await readPiece(at)
        return bytes.subarray(offset, offset + length)
      },
      write: () => Promise.reject(readOnly()),
      close() {
        open.delete(file)
        parent.tell({ type: 'release', file })
        return Promise.resolve()
      },
      setTime: () => undefined,
    }
  }

  async function findEntry(path: string): Promise<Entry | undefined> {
    if (dirname(path) !== FOLDER) return undefined
    return (await listEntries()).find(({ name }) => name === basename(path))
  }

  return {
    async find(path) {
      if (path === '/') return toFolder('/', 0o555)
      if (path === FOLDER) return toFolder(basename(FOLDER), 0o555)
      const entry = await findEntry(path)
      return entry && toNode(entry)
    },
    async list(path) {
      if (path === '/') return [toFolder(basename(FOLDER), 0o555)]
      if (path !== FOLDER) throw notThere()
      return (await listEntries()).map(toNode)
    },
    async open(path, flags) {
      if (isWriting(flags)) throw readOnly()
      const entry = await findEntry(path)
      if (!entry) throw notThere()
      return openFile(entry)
    },
    rename: () => Promise.reject(readOnly()),
    remove: () => Promise.reject(readOnly()),
    setTime: () => Promise.reject(readOnly()),
    end() {
      for (const file of open) parent.tell({ type: 'release', file })
    },
  }
}

const readOnly = () => new Refused('denied', 'Files can only be read here.')
