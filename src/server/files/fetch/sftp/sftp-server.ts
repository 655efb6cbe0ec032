import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'

import { FileError } from '../../file-error'
import type { FileServer } from '../file-server'
import { noFolder } from '../newest-file'
import { readSftpFile } from './sftp-read'

const END = 1
const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3

/** Asks a question, for whose answer is not waited too long. */
type Ask = <T>(question: () => Promise<T>) => Promise<T>
type Answer<T> = (error: Error | null | undefined, value: T) => void

/** What is asked of a server of SFTP. */
export function createSftpServer(sftp: SFTPWrapper, ask: Ask): FileServer {
  const call = <T = void>(question: (answer: Answer<T>) => void) =>
    ask(
      () =>
        new Promise<T>((resolve, reject) => {
          question((error, value) => (error ? reject(describeSftpFailure(error)) : resolve(value)))
        }),
    )
  return {
    // `/~/` is the folder in which the user begins.
    toPath: (path) => path.replace(/^\/~\//, './'),
    async look(path) {
      const stats = await call<Stats>((answer) => sftp.stat(path, answer))
      if (stats.isDirectory()) {
        throw new FileError('bad-address', 'At this address there is a folder: enter a file in it.')
      }
      const { size } = told(stats)
      if (size === undefined) throw noSize()
      return { bytes: size, changedAt: timeOf(stats) }
    },
    rename: (from, to) => call((answer) => sftp.rename(from, to, done(answer))),
    makeFolder: (path) => call((answer) => sftp.mkdir(path, done(answer))),
    remove: (path) => call((answer) => sftp.unlink(path, done(answer))),
    async *list(path) {
      const handle = await call<Buffer>((answer) => sftp.opendir(path, answer)).catch(
        (error: FileError) => {
          throw error.code === 'no-file' ? noFolder() : error
        },
      )
      try {
        for (;;) {
          const entries = await call<FileEntryWithStats[] | undefined>((answer) =>
            sftp.readdir(handle, (error, found) =>
              isEnd(error) ? answer(undefined, undefined) : answer(error, found),
            ),
          )
          if (!entries) return
          yield entries.map(({ filename, attrs }) => ({
            name: filename,
            changedAt: timeOf(attrs),
            isFolder: attrs.isDirectory(),
          }))
        }
      } finally {
        sftp.close(handle, () => undefined)
      }
    },
    async *read(path, state) {
      const handle = await call<Buffer>((answer) => sftp.open(path, 'r', answer))
      try {
        yield* readSftpFile(sftp, handle, state)
      } finally {
        sftp.close(handle, () => undefined)
      }
    },
  }
}

/** Servers may leave out what they do not know, which the types do not say. */
const told = (stats: Stats): Partial<Stats> => stats

function timeOf(stats: Stats): number | null {
  const { mtime } = told(stats)
  return mtime === undefined ? null : mtime * 1_000
}

/** For calls that are answered without a value. */
const done = (answer: Answer<void>) => (error?: Error | null) => answer(error, undefined)

const isEnd = (error: unknown) => (error as { code?: unknown } | undefined)?.code === END

/** The error for what a server answers to a path. */
function describeSftpFailure(error: Error & { code?: unknown }): FileError {
  const cause = { cause: error }
  if (error.code === NO_SUCH_FILE) {
    return new FileError(
      'no-file',
      'There is no file of this name at the server: upper and lower case count.',
      cause,
    )
  }
  if (error.code === PERMISSION_DENIED) {
    return new FileError(
      'not-permitted',
      'This user may not do that with the file: ask the operator of the server.',
      cause,
    )
  }
  // What a server answers has a code; what became of the connection has none.
  if (typeof error.code !== 'number') {
    return new FileError('connection-lost', 'The connection to the server was lost.', cause)
  }
  return new FileError('bad-answer', 'The server did not answer what SFTP asks it to.', cause)
}

function noSize(): FileError {
  return new FileError(
    'bad-answer',
    'The server does not tell how large the file is, so that nobody could tell whether it has arrived whole.',
  )
}
