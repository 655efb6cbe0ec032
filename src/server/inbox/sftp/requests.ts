import ssh, { type SFTPWrapper } from 'ssh2'

import { Refused } from '../parent'
import type { Handles } from './handles'
import { toPath } from './paths'
import type { createReadTurns } from './read-turns'
import { notThere, toAttributes, toLongName, type Node, type Tree } from './trees'

const { STATUS_CODE } = ssh.utils.sftp
/** The most bytes in an answer to a read: what all programs can take. */
const READ_BYTES = 32 * 1024
/** Names in an answer to a listing. */
const BATCH = 50

type Parts = {
  tree: Tree
  handles: Handles
  reads: ReturnType<typeof createReadTurns>
  maxPathBytes: number
  now: () => number
  /** Answers a request by what `act` does, or says why not. */
  answer(id: number, act: () => Promise<(() => void) | void>): void
}

/** Has the requests of a client answered, each by what it asks of the tree. */
export function answerRequests(sftp: SFTPWrapper, parts: Parts): void {
  const { tree, handles, reads, maxPathBytes, now, answer } = parts
  function requirePath(text: string): string {
    const path = toPath(text, maxPathBytes)
    if (path === undefined) throw notThere()
    return path
  }
  const look = (id: number, text: string) =>
    answer(id, async () => {
      const node = await tree.find(requirePath(text))
      if (!node) throw notThere()
      return () => sftp.attrs(id, toAttributes(node))
    })

  sftp
    .on('REALPATH', (id, text) =>
      answer(id, async () => {
        const filename = requirePath(text)
        return () => sftp.name(id, [{ filename, longname: filename, attrs: {} as never }])
      }),
    )
    .on('STAT', look)
    .on('LSTAT', look)
    .on('FSTAT', (id, bytes) =>
      answer(id, async () => {
        const attributes = toAttributes(handles.requireFile(bytes).look())
        return () => sftp.attrs(id, attributes)
      }),
    )
    .on('OPENDIR', (id, text) =>
      answer(id, async () => {
        handles.requireRoom()
        const path = requirePath(text)
        const node = await tree.find(path)
        if (!node?.isFolder) throw notThere()
        return () => sftp.handle(id, handles.add({ kind: 'folder', nodes: undefined, path }))
      }),
    )
    .on('READDIR', (id, bytes) =>
      answer(id, async () => {
        const folder = handles.requireFolder(bytes)
        folder.nodes ??= await tree.list(folder.path)
        const next = folder.nodes.splice(0, BATCH).map(toName)
        return () => {
          if (next.length > 0) sftp.name(id, next)
          else sftp.status(id, STATUS_CODE.EOF)
        }
      }),
    )
    .on('OPEN', (id, text, flags) =>
      answer(id, async () => {
        handles.requireRoom()
        const file = await tree.open(requirePath(text), flags)
        return () => sftp.handle(id, handles.add({ kind: 'file', file }))
      }),
    )
    .on('READ', (id, bytes, at, length) =>
      answer(id, async () => {
        const file = handles.requireFile(bytes)
        const read = await reads.inTurn(() => file.read(at, Math.min(length, READ_BYTES)))
        return () => {
          if (read) sftp.data(id, read)
          else sftp.status(id, STATUS_CODE.EOF)
        }
      }),
    )
    .on('WRITE', (id, bytes, at, data) =>
      // At once: what follows may come before anything that is waited for.
      answer(id, () => attempt(() => handles.requireFile(bytes).write(at, data))),
    )
    .on('CLOSE', (id, bytes) =>
      answer(id, async () => {
        const handle = handles.remove(bytes)
        if (handle.kind === 'file') await handle.file.close()
      }),
    )
    .on('REMOVE', (id, text) => answer(id, async () => tree.remove(requirePath(text))))
    .on('RENAME', (id, from, to) =>
      answer(id, async () => tree.rename(requirePath(from), requirePath(to))),
    )
    .on('SETSTAT', (id, text, { mtime }) =>
      answer(id, async () => tree.setTime(requirePath(text), toTime(mtime, now()))),
    )
    .on('FSETSTAT', (id, bytes, { mtime }) =>
      answer(id, async () => handles.requireFile(bytes).setTime(toTime(mtime, now()))),
    )
    .on('MKDIR', (id, text) =>
      answer(id, async () => {
        const isThere = (await tree.find(requirePath(text)))?.isFolder
        throw isThere
          ? new Refused('failed', 'This folder is there already.')
          : new Refused('denied', 'Folders cannot be made here.')
      }),
    )
    .on('RMDIR', (id) => answer(id, () => Promise.reject(new Refused('denied', 'Folders stay.'))))
    .on('EXTENDED', (id, name, data) => {
      const paths = name === 'posix-rename@openssh.com' ? readTwoTexts(data) : undefined
      if (paths) {
        answer(id, async () => tree.rename(requirePath(paths[0]), requirePath(paths[1])))
      } else if (name === 'fsync@openssh.com') {
        // What has come is safe once the file is closed.
        answer(id, () => Promise.resolve())
      } else {
        answer(id, async () => () => sftp.status(id, STATUS_CODE.OP_UNSUPPORTED))
      }
    })
}

const toName = (node: Node) => ({
  filename: node.name,
  longname: toLongName(node),
  attrs: toAttributes(node),
})

function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return act()
  } catch (error) {
    return Promise.reject(error as Error)
  }
}

const toTime = (seconds: number | undefined, now: number) =>
  seconds === undefined ? now : seconds * 1_000

/** Two texts with their lengths before them; undefined if they are not. */
function readTwoTexts(data: Buffer | undefined): [string, string] | undefined {
  const texts: string[] = []
  let rest = data ?? Buffer.alloc(0)
  for (let count = 0; count < 2; count++) {
    const length = rest.length >= 4 ? rest.readUInt32BE() : Infinity
    if (length > rest.length - 4) return undefined
    texts.push(rest.toString('utf8', 4, 4 + length))
    rest = rest.subarray(4 + length)
  }
  return [texts[0] ?? '', texts[1] ?? '']
}
