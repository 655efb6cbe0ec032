import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { basename, dirname, join } from 'node:path/posix'
import { createSecureContext, type SecureContextOptions, TLSSocket } from 'node:tls'

import { createServedFiles, type ServedFile } from './served-files'

export interface FtpServerOptions {
  /** Its certificate and what it accepts; without, it knows no TLS. */
  tls?: SecureContextOptions
  /** Instead of it, for data connections. */
  dataTls?: SecureContextOptions
  /** Whether TLS begins with the connection. */
  isImplicit?: boolean
  /** Where it listens. */
  address?: '127.0.0.1' | '::1'
  /** Whether somebody may sign in without a name. */
  isOpen?: boolean
}

/** What a client has said, as far as it matters for an answer. */
interface Client {
  control: Socket
  isProtected: boolean
  /** The data connection that was opened, or will be. */
  data?: Promise<Socket>
  /** What is renamed by the next command. */
  renamed?: string
}

/** What is answered instead of the usual: undefined for nothing more than was written, null for the usual. */
type Answer = string | ((argument: string, client: Client) => string | null | undefined | void)

export type FtpServer = Awaited<ReturnType<typeof startFtpServer>>

export const FTP_USER = 'feed'
export const FTP_PASSWORD = 'secret-ftp'

/** A server of FTP on loopback, whose files are in memory and whose answers can be changed. */
export async function startFtpServer(options: FtpServerOptions = {}) {
  const { isImplicit = false, address = '127.0.0.1' } = options
  // Of the connection and of the data connections: a session of one can be resumed by another.
  const secureContext = options.tls && createSecureContext(options.tls)
  const dataContext = options.dataTls ? createSecureContext(options.dataTls) : secureContext
  const { files, put } = createServedFiles()
  const state = {
    /** All commands, in the order in which they came. */
    said: [] as string[],
    /** Answers by command, instead of the usual one. */
    answers: {} as Record<string, Answer>,
    /** What it says first. */
    greeting: '220 Ready',
    /** Called before each piece of a file is sent; what it returns is waited for. */
    onSend: undefined as ((position: number, data: Socket) => void | Promise<void>) | undefined,
    /** Called before each piece of a file is taken; what it returns is waited for. */
    onTake: undefined as ((position: number, data: Socket) => void | Promise<void>) | undefined,
    /** Called after each change of a file, with the bytes that it has now. */
    onChange: undefined as ((path: string, bytes: number) => void) | undefined,
    /** Whether it renames over a file that is there. */
    renamesOver: true,
    /** What is said after a file was sent. */
    ending: '226 Sent',
    /** What is listed of a folder, instead of its files. */
    listing: undefined as string | undefined,
    /** Of the data connections, whether they have resumed the session. */
    resumed: [] as boolean[],
    /** The names by which TLS was begun. */
    names: [] as (string | false | null)[],
    /** How many data connections were made. */
    dataConnections: 0,
  }
  const sockets = new Set<Socket>()
  /** Of the connections, below TLS. */
  const controls = new Set<Socket>()
  const listeners = new Set<Server>()
  const keep = <S extends Socket>(socket: S): S => {
    sockets.add(socket)
    // Its messages are short, and each is answered before the next is sent.
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const secure = (socket: Socket, context = secureContext) => {
    const secured = keep(
      new TLSSocket(socket, { isServer: true, ...(context && { secureContext: context }) }),
    )
    secured.on('secure', () => state.names.push(secured.servername))
    return secured
  }

  const listen = async (onSocket: (socket: Socket) => void) => {
    const server = createServer((socket) => onSocket(keep(socket)))
    listeners.add(server)
    server.listen(0, address)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  const openData = async (client: Client) => {
    const { promise, resolve } = Promise.withResolvers<Socket>()
    client.data = promise
    return listen((socket) => {
      state.dataConnections++
      // Nothing is sent to it, but the end is told only to those who read.
      resolve((client.isProtected ? secure(socket, dataContext) : socket).resume())
    })
  }

  const toKey = (path: string) => (path.startsWith('/') ? path : `/${path}`)
  const find = (path: string) => files.get(toKey(path))
  const listIn = (folder: string) =>
    [...files].filter(([path]) => dirname(path) === join('/', folder))

  const send = async (client: Client, { content }: ServedFile) => {
    const data = await client.data
    if (!data) return '425 No data connection'
    client.control.write('150 Sending\r\n')
    if (data instanceof TLSSocket) {
      // The client may be gone before.
      if (!data.getCipher()) await once(data, 'secure').catch(() => undefined)
      if (data.destroyed) return '426 Cut'
      state.resumed.push(data.isSessionReused())
    }
    for (let position = 0; position < content.length; position += PIECE) {
      await state.onSend?.(position, data)
      if (data.destroyed) return '426 Cut'
      const piece = content.subarray(position, position + PIECE)
      if (!data.write(piece)) await untilDrained(data)
    }
    data.end()
    return state.ending
  }

  const take = async (client: Client, path: string) => {
    const data = await client.data
    if (!data) return '425 No data connection'
    // Otherwise what arrives before is dropped.
    data.pause()
    client.control.write('150 Go on\r\n')
    const pieces: Buffer[] = []
    let bytes = 0
    const store = () =>
      files.set(toKey(path), { content: Buffer.concat(pieces), changedAt: 0, saidBytes: bytes })
    store()
    try {
      for await (const piece of data as AsyncIterable<Buffer>) {
        if (bytes === 0 && data instanceof TLSSocket) state.resumed.push(data.isSessionReused())
        await state.onTake?.(bytes, data)
        pieces.push(piece)
        bytes += piece.length
        state.onChange?.(toKey(path), bytes)
      }
    } catch {
      return '426 Cut'
    } finally {
      store()
    }
    return state.ending
  }

  const sendText = (client: Client, text: string) =>
    send(client, { content: Buffer.from(text), changedAt: 0 })

  type Usual = (argument: string, client: Client) => string | Promise<string>
  const usual: Record<string, Usual> = {
    AUTH: () => (secureContext ? '234 Go on' : '502 Not known'),
    PBSZ: () => '200 Fine',
    PROT: (level, client) => {
      client.isProtected = level === 'P'
      return '200 Fine'
    },
    OPTS: () => '200 Fine',
    USER: (name) => (name === 'anonymous' && !options.isOpen ? '530 No' : '331 Password?'),
    PASS: (password) =>
      options.isOpen || password === FTP_PASSWORD ? '230-Hello\r\n230 Signed in' : '530 No',
    TYPE: () => '200 Fine',
    SIZE: (path) => {
      const file = find(path)
      return file ? `213 ${file.saidBytes ?? file.content.length}` : '550 Not there'
    },
    MDTM: (path) => {
      const file = find(path)
      return file ? `213 ${toFtpTime(file.changedAt)}` : '550 Not there'
    },
    MLST: () => '500 Not known',
    EPSV: async (_argument, client) => `229 Here (|||${await openData(client)}|)`,
    PASV: async (_argument, client) => {
      const port = await openData(client)
      return `227 Here (127,0,0,1,${port >> 8},${port & 255})`
    },
    RETR: (path, client) => {
      const file = find(path)
      return file ? send(client, file) : '550 Not there'
    },
    STOR: (path, client) => take(client, path),
    MLSD: (folder, client) => {
      const lines = listIn(folder).map(
        ([path, { changedAt }]) =>
          `type=file;modify=${toFtpTime(changedAt)}; ${basename(path)}\r\n`,
      )
      return sendText(client, state.listing ?? `type=cdir; .\r\n${lines.join('')}`)
    },
    LIST: (folder, client) => {
      const lines = listIn(folder).map(
        ([path, { content }]) =>
          `-rw-r--r--    1 0  0  ${content.length} Jan 01 00:00 ${basename(path)}\r\n`,
      )
      return sendText(client, lines.join(''))
    },
    RNFR: (path, client) => {
      client.renamed = path
      return find(path) ? '350 To?' : '550 Not there'
    },
    RNTO: (path, { renamed = '' }) => {
      const file = find(renamed)
      if (!file) return '503 What?'
      if (find(path) && !state.renamesOver) return '553 There is one'
      files.delete(toKey(renamed))
      files.set(toKey(path), file)
      state.onChange?.(toKey(path), file.content.length)
      return '250 Renamed'
    },
    MKD: () => '550 Not allowed',
    DELE: (path) => (files.delete(toKey(path)) ? '250 Deleted' : '550 Not there'),
    QUIT: () => '221 Bye',
  }

  function serve(socket: Socket) {
    controls.add(socket)
    const client: Client = { control: socket, isProtected: false }
    const listenTo = (control: Socket) => {
      let text = ''
      control.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const lines = text.split('\r\n')
        text = lines.pop() ?? ''
        for (const line of lines) void answer(line)
      })
    }
    const answer = async (line: string) => {
      state.said.push(line)
      const [, command = '', argument = ''] = /^(\S+) ?(.*)$/s.exec(line) ?? []
      const own = state.answers[command]
      const said = typeof own === 'function' ? own(argument, client) : (own ?? null)
      if (said === undefined) return
      const text = said ?? (await usual[command]?.(argument, client)) ?? '500 Not known'
      client.control.write(`${text}\r\n`)
      if (command === 'AUTH' && text.startsWith('234')) {
        client.control.removeAllListeners('data')
        client.control = secure(client.control)
        listenTo(client.control)
      }
    }
    const greet = () => client.control.write(`${state.greeting}\r\n`)
    if (isImplicit) client.control = secure(socket).once('secure', greet)
    else greet()
    listenTo(client.control)
  }

  const port = await listen(serve)
  return {
    state,
    port,
    host: `127.0.0.1:${port}`,
    url: (path: string, host = '127.0.0.1') =>
      `${isImplicit ? 'ftps' : 'ftp'}://${host}:${port}${path}`,
    files,
    put,
    /** Waits for a data connection at the port that it resolves to. */
    passive: openData,
    /** Ends all connections, as a crash would. */
    dropAll() {
      for (const socket of sockets) socket.destroy()
    },
    /** Says something below TLS, as servers do that end in the middle of it, and ends all connections. */
    async crash(text: string) {
      const said = [...controls].map((socket) => new Promise((done) => socket.write(text, done)))
      await Promise.all(said)
      for (const socket of sockets) socket.destroy()
    },
    /** How many connections are open. */
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([...listeners].map((one) => new Promise((done) => one.close(done))))
    },
  }
}

/** Also returns if the connection ends. */
const untilDrained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('drain', resolve).once('close', resolve)
  })

/** How many bytes are sent at a time. */
const PIECE = 64 * 1024

const toFtpTime = (time: number) => new Date(time).toISOString().replace(/\D/g, '').slice(0, 14)
