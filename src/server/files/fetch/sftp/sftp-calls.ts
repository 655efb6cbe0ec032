import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'

import { FileError } from '../../file-error'
import type { FolderEntry } from '../newest-file'
import type { FileState } from '../settled-file'
import { readSftpFile } from './sftp-read'

const END = 1
const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3

/** Asks a question, for whose answer is not waited too long. */
type Ask = <T>(question: () => Promise<T>) => Promise<T>
type Answer<T> = (error: Error | null | undefined, value: T) => void

/** What is asked of a server of SFTP, by paths there; all of it throws FileErrors. */
export function createSftpCalls(sftp: SFTPWrapper, ask: Ask) {
  const call = <T = void>(question: (answer: Answer<T>) => void) =>
    ask(
      () =>
        new Promise<T>((resolve, reject) => {
          question((error, value) => (error ? reject(describeSftpFailure(error)) : resolve(value)))
        }),
    )
  return {
    fileAt: (path: string) => ({
      path,
      async look(): Promise<FileState> {
        const stats = await call<Stats>((answer) => sftp.stat(path, answer))
        if (stats.isDirectory()) {
          throw new FileError(
            'bad-address',
            'At this address there is a folder: enter a file in it.',
          )
        }
        return { bytes: stats.size, changedAt: stats.mtime * 1_000 }
      },
      rename: (to: string) => call((answer) => sftp.rename(path, to, answer as never)),
      makeFolder: (folder: string) => call((answer) => sftp.mkdir(folder, answer as never)),
      remove: () => call((answer) => sftp.unlink(path, answer as never)),
    }),
    /** The entries of a folder as they arrive. */
    async *list(path: string): AsyncGenerator<FolderEntry[]> {
      const handle = await call<Buffer>((answer) => sftp.opendir(path, answer))
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
            changedAt: attrs.mtime * 1_000,
            isFolder: attrs.isDirectory(),
          }))
        }
      } finally {
        sftp.close(handle, () => undefined)
      }
    },
    async *read(path: string, state: FileState): AsyncGenerator<Buffer> {
      const handle = await call<Buffer>((answer) => sftp.open(path, 'r', answer))
      try {
        yield* readSftpFile(sftp, handle, state)
      } finally {
        sftp.close(handle, () => undefined)
      }
    },
  }
}

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
  return new FileError('bad-answer', 'The server did not answer what SFTP asks it to.', cause)
}
