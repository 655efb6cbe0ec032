import type { Socket } from 'node:net'

import ssh, { type SFTPWrapper } from 'ssh2'

import type { Home } from '../messages'
import { Refused } from '../parent'
import { createDropBox } from './drop-box'
import { toPath } from './paths'
import { createPickUp } from './pick-up'
import {
  notThere,
  toAttributes,
  toLongName,
  toStatus,
  type OpenFile,
  type Tree,
  type TreeContext,
} from './trees'

const { STATUS_CODE } = ssh.utils.sftp
/** The most bytes in an answer to a read: what all programs can take. */
const READ_BYTES = 32 * 1024
/** Names in an answer to a listing. */
const BATCH = 50

type Options = Omit<TreeContext, 'pauseWhile'> & {
  home: Home
  socket: Socket
  /** The client has asked for something. */
  onRequest(): void
  /** The client breaks the rules. */
  onAbuse(): void
}

type Handle =
  | { kind: 'file'; file: OpenFile }
  | { kind: 'folder'; names: ReturnType<typeof toName>[] | undefined; path: string }

const toName = (node: Parameters<typeof toLongName>[0]) => ({
  filename: node.name,
  longname: toLongName(node),
  attrs: toAttributes(node),
})

/** Answers the requests of a client that has signed in. */
export function serveSftp(sftp: SFTPWrapper, options: Options): { end(): void } {
  const { home, limits, socket, onRequest, onAbuse } = options
  const context: TreeContext = { ...options, pauseWhile }
  const tree: Tree = home === 'drop-box' ? createDropBox(context) : createPickUp(context)
  const handles = new Map<number, Handle>()
  /** Reads, which wait until the client has read the answers to those before. */
  const reads: (() => Promise<void>)[] = []
  let isReading = false
  let lastHandle = 0
  let pending = 0
  let hasEnded = false

  function pauseWhile(isBehind: boolean): void {
    if (isBehind) socket.pause()
    else if (socket.isPaused()) socket.resume()
  }
  /** What the client has not read yet, over the connection or of what its window allows. */
  const isUnread = () => socket.writableLength > limits.unreadBytes || unread().length > 2
  function unread(): unknown[] {
    const { _buffer: answers } = sftp as unknown as Waiting
    return answers
  }
  async function readOn(): Promise<void> {
    if (isReading) return
    isReading = true
    while (reads.length > 0 && !isUnread()) await reads.shift()?.()
    isReading = false
  }
  const onDrain = () => void readOn()
  // Its window grows by what it sends, of which ssh2 learns first.
  const onData = () => reads.length > 0 && setImmediate(onDrain)
  socket.on('drain', onDrain).on('data', onData)

  /** Answers a request by what `act` does, or says why not. */
  function answer(id: number, act: () => Promise<(() => void) | void>): void {
    onRequest()
    pending += 1
    if (pending > limits.requests || unread().length > limits.abandonedAnswers) return onAbuse()
    const send = (sending: () => void) => {
      pending -= 1
      if (!hasEnded) sending()
    }
    act().then(
      (sending) => send(sending ?? (() => sftp.status(id, STATUS_CODE.OK, 'Done'))),
      (error: unknown) =>
        send(() => {
          const { code, message } = toStatus(error)
          sftp.status(id, code, message)
        }),
    )
  }
  /** Reads when it is the turn of this read; the answer is sent before the next. */
  function inTurn<T>(read: () => Promise<T>): Promise<T> {
    const turn = Promise.withResolvers<T>()
    reads.push(async () => {
      await read().then(turn.resolve, turn.reject)
      // The answer.
      await Promise.resolve()
      await Promise.resolve()
    })
    void readOn()
    return turn.promise
  }
  function requirePath(text: string): string {
    const path = toPath(text, limits.pathBytes)
    if (path === undefined) throw notThere()
    return path
  }
  function addHandle(handle: Handle): Buffer {
    const number = ++lastHandle
    handles.set(number, handle)
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(number)
    return bytes
  }
  function requireRoom(): void {
    if (handles.size < limits.handles) return
    throw new Refused('failed', `At most ${limits.handles} files can be open at once.`)
  }
  const find = (bytes: Buffer) =>
    bytes.length === 4 ? handles.get(bytes.readUInt32BE()) : undefined
  function requireFile(bytes: Buffer): OpenFile {
    const handle = find(bytes)
    if (handle?.kind !== 'file') throw new Refused('failed', 'This file is not open.')
    return handle.file
  }
  const look = (id: number, text: string) =>
    answer(id, async () => {
      const node = await tree.find(requirePath(text))
      if (!node) throw notThere()
      return () => sftp.attrs(id, toAttributes(node))
    })

  sftp.on('error', () => {
    // It would go on to read, and make room for a packet whose length it has just refused.
    ;(sftp as unknown as Reading).push = () => undefined
    onAbuse()
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
        const attributes = toAttributes(requireFile(bytes).look())
        return () => sftp.attrs(id, attributes)
      }),
    )
    .on('OPENDIR', (id, text) =>
      answer(id, async () => {
        requireRoom()
        const path = requirePath(text)
        const node = await tree.find(path)
        if (!node?.isFolder) throw notThere()
        return () => sftp.handle(id, addHandle({ kind: 'folder', names: undefined, path }))
      }),
    )
    .on('READDIR', (id, bytes) =>
      answer(id, async () => {
        const handle = find(bytes)
        if (handle?.kind !== 'folder') throw new Refused('failed', 'This folder is not open.')
        handle.names ??= (await tree.list(handle.path)).map(toName)
        const next = handle.names.splice(0, BATCH)
        return () => {
          if (next.length > 0) sftp.name(id, next)
          else sftp.status(id, STATUS_CODE.EOF)
        }
      }),
    )
    .on('OPEN', (id, text, flags) =>
      answer(id, async () => {
        requireRoom()
        const file = await tree.open(requirePath(text), flags)
        return () => sftp.handle(id, addHandle({ kind: 'file', file }))
      }),
    )
    .on('READ', (id, bytes, at, length) =>
      answer(id, async () => {
        const file = requireFile(bytes)
        const read = await inTurn(() => file.read(at, Math.min(length, READ_BYTES)))
        return () => {
          if (read) sftp.data(id, read)
          else sftp.status(id, STATUS_CODE.EOF)
        }
      }),
    )
    .on('WRITE', (id, bytes, at, data) =>
      // At once: what follows may come before anything that is waited for.
      answer(id, () => attempt(() => requireFile(bytes).write(at, data))),
    )
    .on('CLOSE', (id, bytes) =>
      answer(id, async () => {
        const handle = find(bytes)
        if (!handle) throw new Refused('failed', 'This file is not open.')
        handles.delete(bytes.readUInt32BE())
        if (handle.kind === 'file') await handle.file.close()
      }),
    )
    .on('REMOVE', (id, text) => answer(id, async () => tree.remove(requirePath(text))))
    .on('RENAME', (id, from, to) =>
      answer(id, async () => tree.rename(requirePath(from), requirePath(to))),
    )
    .on('SETSTAT', (id, text, { mtime }) =>
      answer(id, async () => tree.setTime(requirePath(text), toTime(mtime, options.now()))),
    )
    .on('FSETSTAT', (id, bytes, { mtime }) =>
      answer(id, async () => requireFile(bytes).setTime(toTime(mtime, options.now()))),
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

  return {
    end() {
      if (hasEnded) return
      hasEnded = true
      socket.off('drain', onDrain).off('data', onData)
      reads.length = 0
      handles.clear()
      tree.end()
    },
  }
}

type Reading = { push(data: Buffer | null): void }
/** What of `ssh2` is not open: answers that wait for the window of the client. */
type Waiting = { _buffer: unknown[] }

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
