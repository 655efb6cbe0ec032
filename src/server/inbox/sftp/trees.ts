import ssh, { type Attributes } from 'ssh2'

import { shareRuns } from '../../concurrency/share-runs'
import type { SftpLimits } from '../limits'
import type { Entry } from '../messages'
import { type Parent, Refused } from '../parent'

const { STATUS_CODE, OPEN_MODE } = ssh.utils.sftp

/** A file or a folder, as it is shown. */
export interface Node {
  name: string
  isFolder: boolean
  mode: number
  sizeBytes: number
  /** In Unix milliseconds. */
  changedAt: number
}

/** A file that is open, to read or to write. */
export interface OpenFile {
  look(): Node
  /** Undefined at the end of the file. */
  read(at: number, length: number): Promise<Buffer | undefined>
  write(at: number, bytes: Buffer): Promise<void>
  /** Called once, when it is closed by the client. */
  close(): Promise<void>
  setTime(changedAt: number): void
}

/** What a session sees, and may do. Paths are those of `toPath`. */
export interface Tree {
  find(path: string): Promise<Node | undefined>
  list(path: string): Promise<Node[]>
  open(path: string, flags: number): Promise<OpenFile>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  setTime(path: string, changedAt: number): Promise<void>
  /** Ends what is open; the connection has ended. */
  end(): void
}

/** What a tree needs of its session. */
export interface TreeContext {
  parent: Parent
  session: number
  limits: SftpLimits
  now(): number
  /** A number for an upload or an open file, which no other has. */
  nextNumber(): number
  /** Lets the client wait while the parent is behind. */
  pauseWhile(isBehind: boolean): void
}

/** Lists what the session sees, once for all requests that wait for it. */
export function createListing({ parent, session }: TreeContext): () => Promise<Entry[]> {
  let entries: Entry[] = []
  const list = shareRuns(async () => {
    const { answer } = await parent.ask({ type: 'list', session })
    entries = answer.type === 'listed' ? answer.entries : []
  })
  return async () => {
    await list()
    return entries
  }
}

const FOLDER = 0o040_000
const FILE = 0o100_000

export const toFolder = (name: string, mode: number): Node => ({
  name,
  isFolder: true,
  mode: FOLDER | mode,
  sizeBytes: 0,
  changedAt: 0,
})
export const toFile = (
  name: string,
  mode: number,
  { sizeBytes, changedAt }: Pick<Node, 'sizeBytes' | 'changedAt'>,
): Node => ({ name, isFolder: false, mode: FILE | mode, sizeBytes, changedAt })

export function toAttributes({ mode, sizeBytes, changedAt }: Node): Attributes {
  const seconds = Math.floor(changedAt / 1_000)
  return { mode, uid: 0, gid: 0, size: sizeBytes, atime: seconds, mtime: seconds }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const LETTERS = ['r', 'w', 'x', 'r', 'w', 'x', 'r', 'w', 'x']

/** As `ls -l` shows it, which programs print, and some read. */
export function toLongName({ name, isFolder, mode, sizeBytes, changedAt }: Node): string {
  const rights = LETTERS.map((letter, at) => (mode & (0o400 >> at) ? letter : '-')).join('')
  const date = new Date(changedAt)
  const day = String(date.getUTCDate()).padStart(2)
  const when = `${MONTHS[date.getUTCMonth()]} ${day}  ${date.getUTCFullYear()}`
  const size = String(sizeBytes).padStart(12)
  return `${isFolder ? 'd' : '-'}${rights} 1 stock stock ${size} ${when} ${name}`
}

const CODES = {
  denied: STATUS_CODE.PERMISSION_DENIED,
  later: STATUS_CODE.FAILURE,
  missing: STATUS_CODE.NO_SUCH_FILE,
  failed: STATUS_CODE.FAILURE,
} as const

/** How a request is answered that has failed. */
export function toStatus(error: unknown): { code: number; message: string } {
  if (error instanceof Refused) return { code: CODES[error.refusal], message: error.message }
  return { code: STATUS_CODE.FAILURE, message: 'Something went wrong here. Try again later.' }
}

export const isWriting = (flags: number): boolean =>
  (flags & (OPEN_MODE.WRITE | OPEN_MODE.APPEND | OPEN_MODE.CREAT | OPEN_MODE.TRUNC)) !== 0

export const notThere = () => new Refused('missing', 'There is no such file.')
