import { basename, dirname } from 'node:path/posix'

import ssh from 'ssh2'

import type { Entry } from '../messages'
import { Refused } from '../parent'
import { isName, isTemporary, isVerdict } from './paths'
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
import { beginUpload, type Upload } from './upload'

const { OPEN_MODE } = ssh.utils.sftp

const WRITE_ONLY = 0o200
const READABLE = 0o400

/** A file that this session has sent. */
type Sent = {
  node: Node
  /** Set as long as it waits to be renamed. */
  waiting?: Upload
}

/** The folder of a supplier's connection: what was sent last, and beside each file what became of it. */
export function createDropBox(context: TreeContext): Tree {
  const { parent, session, now } = context
  /** By name; what was removed is remembered as undefined. */
  const sent = new Map<string, Sent | undefined>()
  const uploads = new Set<Upload>()
  const listEntries = createListing(context)

  async function listNodes(): Promise<Node[]> {
    const nodes = new Map((await listEntries()).map((entry) => [entry.name, toNode(entry)]))
    for (const [name, own] of sent) {
      if (own) nodes.set(name, own.node)
      else nodes.delete(name)
    }
    return [...nodes.values()]
  }

  /** Another file of the same name that waits to be renamed never will be. */
  function replace(name: string, file: Sent): void {
    const upload = sent.get(name)?.waiting
    upload?.abandon()
    if (upload) uploads.delete(upload)
    sent.set(name, file)
  }

  async function openUpload(name: string): Promise<OpenFile> {
    requireSendable(name)
    const upload = await beginUpload(name, {
      parent,
      session,
      upload: context.nextNumber(),
      limits: context.limits,
      onUntaken: context.pauseWhile,
    })
    uploads.add(upload)
    let changedAt = now()
    const look = () => toFile(name, WRITE_ONLY, { sizeBytes: upload.receivedBytes(), changedAt })
    replace(name, { node: look() })
    return {
      look,
      read: () => Promise.reject(writeOnly()),
      write: (at, bytes) => upload.write(at, bytes),
      async close() {
        try {
          if (isTemporary(name)) await upload.fill()
          else await upload.name(name)
        } catch (error) {
          upload.abandon()
          uploads.delete(upload)
          sent.delete(name)
          throw error
        }
        if (isTemporary(name)) {
          sent.set(name, { node: look(), waiting: upload })
          return
        }
        uploads.delete(upload)
        sent.set(name, { node: look() })
      },
      setTime: (time) => void (changedAt = time),
    }
  }

  return {
    async find(path) {
      if (path === '/') return toFolder('/', 0o700)
      if (dirname(path) !== '/') return undefined
      const name = basename(path)
      // Programs look for the file that they have just sent.
      if (sent.has(name)) return sent.get(name)?.node
      return (await listNodes()).find((node) => node.name === name)
    },
    async list(path) {
      if (path !== '/') throw notThere()
      return listNodes()
    },
    open(path, flags) {
      if (path === '/') return Promise.reject(new Refused('failed', 'This is a folder.'))
      const isInside = dirname(path) === '/'
      if (!isWriting(flags)) {
        return isInside ? openVerdict(basename(path), listEntries) : Promise.reject(notThere())
      }
      if (!isInside) return Promise.reject(noFolders())
      if (flags & (OPEN_MODE.APPEND | OPEN_MODE.READ)) return Promise.reject(onlyWhole())
      return openUpload(basename(path))
    },
    async rename(from, to) {
      const [name, next] = [basename(from), basename(to)]
      if (dirname(from) !== '/' || dirname(to) !== '/') throw noFolders()
      const own = sent.get(name)
      if (!own?.waiting) {
        throw (await this.find(from)) ? alreadyReceived() : notThere()
      }
      if (next === name) return
      requireSendable(next)
      if (!isTemporary(next)) {
        const upload = own.waiting
        try {
          await upload.name(next)
        } catch (error) {
          upload.abandon()
          sent.delete(name)
          throw error
        } finally {
          uploads.delete(upload)
        }
      }
      sent.delete(name)
      replace(next, {
        node: { ...own.node, name: next },
        ...(isTemporary(next) && { waiting: own.waiting }),
      })
    },
    async remove(path) {
      const node = await this.find(path)
      if (!node) throw notThere()
      if (node.isFolder) throw new Refused('denied', 'The folder stays.')
      const own = sent.get(node.name)
      if (own?.waiting) {
        own.waiting.abandon()
        uploads.delete(own.waiting)
        sent.delete(node.name)
        return
      }
      // Programs remove what they are about to replace. What was received stays received.
      sent.set(node.name, undefined)
    },
    async setTime(path, changedAt) {
      const own = sent.get(basename(path))
      if (own) own.node = { ...own.node, changedAt }
      else if (!(await this.find(path))) throw notThere()
    },
    end() {
      for (const upload of uploads) upload.abandon()
    },
  }
}

const toNode = ({ name, sizeBytes, changedAt, text }: Entry): Node =>
  toFile(name, text === null ? WRITE_ONLY : READABLE, { sizeBytes, changedAt })

function requireSendable(name: string): void {
  if (!isName(name)) throw new Refused('denied', 'A file cannot have this name.')
  if (!isVerdict(name)) return
  const reason = 'Files with this name say what became of others, and cannot be sent.'
  throw new Refused('denied', reason)
}

/** Opens what was said of a file; what was sent cannot be read. */
async function openVerdict(name: string, listEntries: () => Promise<Entry[]>): Promise<OpenFile> {
  const entry = (await listEntries()).find((one) => one.name === name)
  if (!entry) throw notThere()
  if (entry.text === null) throw writeOnly()
  const bytes = Buffer.from(entry.text)
  return {
    look: () => toNode(entry),
    read: (at, length) =>
      Promise.resolve(at >= bytes.length ? undefined : bytes.subarray(at, at + length)),
    write: () => Promise.reject(new Refused('denied', 'This file can only be read.')),
    close: () => Promise.resolve(),
    setTime: () => undefined,
  }
}

const writeOnly = () =>
  new Refused('denied', 'What was sent cannot be read here, only what became of it.')
const onlyWhole = () =>
  new Refused('denied', 'Files are sent whole: they can be neither continued nor appended to.')
const noFolders = () => new Refused('denied', 'There is one folder only: put the file into /.')
const alreadyReceived = () =>
  new Refused('denied', 'This file was received already, and keeps its name. Send it anew.')
