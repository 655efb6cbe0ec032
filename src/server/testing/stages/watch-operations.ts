import nodeFs, { existsSync, fstatSync, writeSync, type PathLike } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'

import BetterSqlite3 from 'better-sqlite3'

type WriteBytes = (
  this: FileHandle,
  chunk: Uint8Array,
  offset?: number,
  length?: number,
) => Promise<{ bytesWritten: number }>

/**
 * Intercepts every operation of this process that changes the disk, in the file system and in the
 * database, prints its name, and kills the process before the one that is `last`; a write is half
 * done then. `2 commit` is the second one of that name; by default there is none. The product is not
 * aware of this: it patches Node and the database driver. Intervals never fire, because lease renewals
 * and progress reports would make the sequence of operations depend on timing.
 */
export async function watchOperations(last = ''): Promise<void> {
  const [, number, wanted] = /^(\d+) (.*)$/.exec(last) ?? []
  let count = 0
  const isLast = (name: string) => {
    writeSync(1, `${name}\n`)
    return name === wanted && ++count === Number(number)
  }
  const before = (name: string) => {
    if (isLast(name)) process.kill(process.pid, 'SIGKILL')
  }
  watchDatabase(before)
  watchFolders(before)
  watchFlushes(before)
  await watchFiles(before, isLast)
  syncBuiltinESMExports()
  Object.assign(globalThis, { setInterval: () => setTimeout(() => {}, 0) })
}

function watchDatabase(before: (name: string) => void): void {
  const prototype = BetterSqlite3.prototype as BetterSqlite3.Database
  const { prepare } = prototype
  prototype.prepare = function prepareWatched(this: BetterSqlite3.Database, text: string) {
    const statement = prepare.call(this, text)
    const name = nameStatement(text)
    if (!name) return statement
    const watched = (method: 'run' | 'all') => {
      const execute = statement[method].bind(statement) as (...parameters: unknown[]) => unknown
      return (...parameters: unknown[]) => {
        before(name)
        return execute(...parameters)
      }
    }
    return Object.assign(statement, { run: watched('run'), all: watched('all') })
  } as typeof prepare
}

/** Names such as `insert versions` or `commit`; undefined for statements that only read. */
function nameStatement(text: string): string | undefined {
  const [, verb, table] =
    /^\s*(insert|update|delete)\b(?:\s+(?:into|from))?\s+"(\w+)"/i.exec(text) ?? []
  if (verb) return `${verb.toLowerCase()} ${table}`
  return /^\s*(begin|commit|rollback)\b/i.exec(text)?.[1]?.toLowerCase()
}

function watchFolders(before: (name: string) => void): void {
  const { rename } = fs
  fs.rename = async (from, to) => {
    before(dirname(String(to)).endsWith('drafts') ? 'hide file' : 'rename file')
    return rename(from, to)
  }
  for (const [method, name] of Object.entries(FOLDER_OPERATIONS)) {
    const operate = fs[method as 'rm'] as (...args: unknown[]) => Promise<void>
    const watched = async (...args: unknown[]) => {
      before(name)
      return operate(...args)
    }
    Object.assign(fs, { [method]: watched })
  }
}

const FOLDER_OPERATIONS = {
  rm: 'remove file',
  unlink: 'remove file',
  link: 'link file',
  copyFile: 'copy file',
  writeFile: 'write file',
  mkdir: 'make folder',
} satisfies Partial<Record<keyof typeof fs, string>>

/** Those of files that are opened for nothing else. */
function watchFlushes(before: (name: string) => void): void {
  const { openSync, fsync } = nodeFs
  const paths = new Map<number, PathLike>()
  nodeFs.openSync = (path, flags, mode) => {
    const descriptor = openSync(path, flags, mode)
    paths.set(descriptor, path)
    return descriptor
  }
  const fsyncWatched = (
    descriptor: number,
    callback: (error: NodeJS.ErrnoException | null) => void,
  ) => {
    const isFolder = fstatSync(descriptor).isDirectory()
    before(isFolder ? nameFlush(String(paths.get(descriptor))) : 'fsync file')
    fsync(descriptor, callback)
  }
  Object.assign(nodeFs, { fsync: fsyncWatched })
}

const nameFlush = (folder: string) =>
  existsSync(join(folder, 'app.db-wal')) ? 'fsync folder of log' : 'fsync folder'

async function watchFiles(
  before: (name: string) => void,
  isLast: (name: string) => boolean,
): Promise<void> {
  const { open } = fs
  const handle = await open(process.execPath)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { sync, datasync } = prototype
  const write = prototype.write as WriteBytes
  fs.open = async (path, flags, mode) => {
    if (flags !== 'r') before('create file')
    return open(path, flags, mode)
  }
  prototype.sync = async function syncWatched(this: FileHandle) {
    before('fsync file')
    return sync.call(this)
  }
  prototype.datasync = async function datasyncWatched(this: FileHandle) {
    before('flush log')
    return datasync.call(this)
  }
  prototype.write = async function writeWatched(this: FileHandle, chunk: Uint8Array, offset = 0) {
    if (isLast('write')) {
      await write.call(this, chunk, offset, Math.floor((chunk.byteLength - offset) / 2))
      process.kill(process.pid, 'SIGKILL')
    }
    return write.call(this, chunk, offset)
  } as WriteBytes as typeof prototype.write
}
