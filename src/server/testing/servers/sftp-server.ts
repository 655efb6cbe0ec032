import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path/posix'

import ssh, { type Attributes, type Connection, type SFTPWrapper } from 'ssh2'

import { makeSshKey, type SshKeyType } from '../fixtures/ssh-keys'
import { createServedFiles, type ServedFile } from './served-files'

const { Server, utils } = ssh
const { OPEN_MODE, STATUS_CODE } = utils.sftp

export interface SftpServerOptions {
  /** Kinds of the keys by which it is known. */
  keys?: SshKeyType[]
  password?: string
  /** Public key of the user, in OpenSSH's format. */
  publicKey?: string
  /** Whether it asks for the password by prompts, as PAM does. */
  byPrompt?: boolean
  algorithms?: ssh.Algorithms
}

export type SftpServer = Awaited<ReturnType<typeof startSftpServer>>

export const SFTP_USER = 'feed'
export const SFTP_PASSWORD = 'secret-sftp'

/** A server of SFTP on loopback, whose files are in memory and whose answers can be changed. */
export async function startSftpServer(options: SftpServerOptions = {}) {
  const { keys = ['ed25519'], password = SFTP_PASSWORD } = options
  const pairs = await Promise.all(keys.map(makeSshKey))
  const { files, put } = createServedFiles()
  const state = {
    files,
    /** Called before each answer to a read; what it returns is waited for. */
    onRead: undefined as ((position: number) => void | Promise<void>) | undefined,
    /** Called before a file is deleted, which it can refuse. */
    onRemove: undefined as (() => 'refused' | undefined) | undefined,
    /** What is not told of files. */
    leavesOut: undefined as 'size' | 'mtime' | undefined,
    /** Called when somebody has signed in, with a function that asks the client something. */
    onReady: undefined as ((ask: (name: string, text: Buffer) => void) => void) | undefined,
    /** Called before something is said of a file. */
    onLook: undefined as ((path: string) => void) | undefined,
    /** How many bytes an answer has at most. */
    maxReadBytes: Infinity,
    /** What clients have tried to sign in with. */
    signIns: [] as string[],
    /** The number of files that were opened. */
    opened: 0,
    /** Whether it knows nothing of any folder. */
    hasNoFolders: false,
    /** What it answers to a write; what it returns is waited for. */
    onWrite: undefined as
      | ((position: number, bytes: number) => 'refused' | void | Promise<void>)
      | undefined,
    /** Called after each change of a file, with the bytes that it has now. */
    onChange: undefined as ((path: string, bytes: number) => void) | undefined,
    /** The folders into which files may be written; undefined: all. */
    folders: undefined as string[] | undefined,
    /** Whether files may be written at all. */
    isReadOnly: false,
    /** How it renames over a file that is there. */
    renames: 'refuses' as 'refuses' | 'never' | 'over',
    /** Makes the names of a folder that never ends. */
    endlessNames: undefined as (() => string) | undefined,
  }
  const clients = new Set<Connection>()
  const hostKeys = pairs.map(({ privateKey }) => privateKey)
  const server = new Server(
    { hostKeys, ...(options.algorithms && { algorithms: options.algorithms }) },
    (client) => {
      // Its types do not know of it.
      ;(client as Connection & { setNoDelay: (on: boolean) => void }).setNoDelay(true)
      clients.add(client)
      client.on('close', () => clients.delete(client))
      client.on('error', () => undefined)
      client.on('authentication', (context) => {
        state.signIns.push(context.method)
        const isUser = context.username === SFTP_USER
        if (context.method === 'publickey' && options.publicKey !== undefined) {
          const known = utils.parseKey(options.publicKey)
          if (known instanceof Error) throw known
          const isKnown = known.getPublicSSH().equals(context.key.data)
          const isSigned =
            !context.signature || known.verify(context.blob!, context.signature, context.hashAlgo)
          return isUser && isKnown && isSigned ? context.accept() : context.reject()
        }
        if (context.method === 'password' && !options.byPrompt && options.publicKey === undefined) {
          return isUser && context.password === password ? context.accept() : context.reject()
        }
        if (context.method === 'keyboard-interactive' && options.byPrompt) {
          return context.prompt([{ prompt: 'Password: ', echo: false }], ([answer]) =>
            isUser && answer === password ? context.accept() : context.reject(),
          )
        }
        const method = options.publicKey
          ? 'publickey'
          : options.byPrompt
            ? 'keyboard-interactive'
            : 'password'
        context.reject([method])
      })
      client.on('ready', () => {
        state.onReady?.((name, text) => askGlobally(client, name, text))
        client.on('session', (accept) => accept().on('sftp', (open) => serveFiles(open(), state)))
      })
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    state,
    port,
    host: `127.0.0.1:${port}`,
    url: (path: string) => `sftp://127.0.0.1:${port}${path}`,
    /** The public keys by which it is known. */
    publicKeys: pairs.map(({ publicKey }) => publicKey),
    files,
    put,
    /** Ends all connections, as a crash would. */
    dropAll() {
      for (const client of clients) client.end()
    },
    async close() {
      for (const client of clients) client.end()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

type State = SftpServer['state']

/** What of `ssh2` is not open: it asks only a few questions itself. */
type Internals = {
  _protocol: {
    _packetRW: {
      write: {
        allocStart: number
        alloc: (bytes: number) => Buffer
        finalize: (packet: Buffer) => Buffer
      }
    }
    _cipher: { encrypt: (packet: Buffer) => void }
  }
}

const GLOBAL_REQUEST = 80

function askGlobally(client: Connection, name: string, text: Buffer) {
  const { _protocol: protocol } = client as Connection & Internals
  const { _packetRW: packets, _cipher: cipher } = protocol
  const { write } = packets
  const length = Buffer.alloc(4)
  length.writeUInt32BE(name.length)
  const parts = [Buffer.from([GLOBAL_REQUEST]), length, Buffer.from(name), Buffer.from([1]), text]
  const message = Buffer.concat(parts)
  const packet = write.alloc(message.length)
  message.copy(packet, write.allocStart)
  cipher.encrypt(write.finalize(packet))
}

/** So many names are told at a time. */
const BATCH = 100
const NO_FILE: ServedFile = { content: Buffer.alloc(0), changedAt: 0 }

function serveFiles(sftp: SFTPWrapper, state: State) {
  const handles: string[] = []
  const { files } = state
  /** What is left of the folders that are being listed. */
  const listings = new Map<number, { folder: string; names: string[] }>()
  const attributesOf = ({ content, changedAt, saidBytes = content.length }: ServedFile) =>
    ({
      mode: 0o100_644,
      uid: 0,
      gid: 0,
      ...(state.leavesOut !== 'size' && { size: saidBytes }),
      ...(state.leavesOut !== 'mtime' && { atime: changedAt / 1_000, mtime: changedAt / 1_000 }),
    }) as Attributes
  const toHandle = (index: number) => Buffer.from([index])
  sftp.on('error', () => undefined)
  const look = (id: number, path: string) => {
    state.onLook?.(path)
    const file = state.files.get(path)
    return file ? sftp.attrs(id, attributesOf(file)) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
  }
  const rename = (id: number, from: string, to: string) => {
    const file = files.get(from)
    if (!file) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
    if (state.renames === 'never') return sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
    if (files.has(to) && state.renames !== 'over') return sftp.status(id, STATUS_CODE.FAILURE)
    files.delete(from)
    files.set(to, file)
    state.onChange?.(to, file.content.length)
    sftp.status(id, STATUS_CODE.OK)
  }
  sftp
    .on('STAT', look)
    .on('LSTAT', look)
    .on('OPENDIR', (id, folder) => {
      const names = [...files.keys()]
        .filter((path) => dirname(path) === folder)
        .map((path) => basename(path))
      if (state.hasNoFolders) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
      listings.set(handles.length, { folder, names })
      sftp.handle(id, toHandle(handles.push(folder) - 1))
    })
    .on('READDIR', (id, handle) => {
      const { folder, names } = listings.get(handle[0] ?? 0) ?? { folder: '', names: [] }
      const next = state.endlessNames
        ? Array.from({ length: BATCH }, state.endlessNames)
        : names.splice(0, BATCH)
      if (next.length === 0) return sftp.status(id, STATUS_CODE.EOF)
      sftp.name(
        id,
        next.map((filename) => {
          const file = files.get(join(folder, filename)) ?? NO_FILE
          return { filename, longname: filename, attrs: attributesOf(file) }
        }),
      )
    })
    .on('OPEN', (id, path, flags) => {
      if ((flags & OPEN_MODE.WRITE) !== 0) {
        if (state.folders?.includes(dirname(path)) === false)
          return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
        if (state.isReadOnly) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
        files.set(path, { content: Buffer.alloc(0), changedAt: 0 })
      }
      if (!state.files.has(path)) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
      state.opened++
      sftp.handle(id, toHandle(handles.push(path) - 1))
    })
    .on('READ', (id, handle, position, length) => {
      void (async () => {
        await state.onRead?.(position)
        const { content } = state.files.get(handles[handle[0] ?? 0] ?? '') ?? {
          content: Buffer.alloc(0),
        }
        const end = position + Math.min(length, state.maxReadBytes)
        const bytes = content.subarray(position, end)
        if (bytes.length === 0) sftp.status(id, STATUS_CODE.EOF)
        else sftp.data(id, bytes)
      })()
    })
    .on('WRITE', (id, handle, position, data) => {
      // It is used for the next message.
      const bytes = Buffer.from(data)
      void (async () => {
        const said = await state.onWrite?.(position, bytes.length)
        if (said === 'refused') return sftp.status(id, STATUS_CODE.FAILURE)
        const path = handles[handle[0] ?? 0] ?? ''
        const before = files.get(path)?.content ?? Buffer.alloc(0)
        const content = Buffer.alloc(Math.max(before.length, position + bytes.length))
        before.copy(content)
        bytes.copy(content, position)
        files.set(path, { content, changedAt: 0 })
        state.onChange?.(path, content.length)
        sftp.status(id, STATUS_CODE.OK)
      })()
    })
    .on('RENAME', rename)
    .on('MKDIR', (id) => sftp.status(id, STATUS_CODE.FAILURE))
    .on('REMOVE', (id, path) => {
      if (state.onRemove?.() === 'refused') return sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
      sftp.status(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE)
    })
    .on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK))
}
