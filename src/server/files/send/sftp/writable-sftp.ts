import { dirname } from 'node:path/posix'
import { performance } from 'node:perf_hooks'

import type { SFTPWrapper, Stats } from 'ssh2'

import { startDeadline, waitUnlessAborted } from '../../../concurrency/deadline'
import { type FetchResources, waitForAnswer } from '../../fetch/fetch-context'
import { FileError } from '../../file-error'
import type { WritableServer } from '../file-server-send'
import { inPieces } from '../pieces'
import { watchProgress } from '../progress'
import type { SendContext } from '../send-context'
import { describeWriting, isLost, isOfSsh, lost } from './sftp-failures'
import { WRITE_BYTES, writeSftpFile } from './sftp-write'

const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3

type Answer<T> = (error: Error | null | undefined, value: T) => void

/** What is written at a server of SFTP. */
export function createWritableSftp(
  sftp: SFTPWrapper,
  context: SendContext,
  resources: FetchResources,
): WritableServer {
  const { timeouts } = context
  const ask = <T = void>(question: (answer: Answer<T>) => void) =>
    waitForAnswer(
      context,
      resources,
      () =>
        new Promise<T>((resolve, reject) => {
          question((error, value) => (error ? reject(error) : resolve(value)))
        }),
    )
  const done = (answer: Answer<void>) => (error?: Error | null) => answer(error, undefined)
  const remove = (path: string) => ask((answer) => sftp.unlink(path, done(answer)))

  async function open(path: string): Promise<Buffer> {
    const create = () => ask<Buffer>((answer) => sftp.open(path, 'w', answer))
    try {
      return await create()
    } catch (error) {
      if (isLost(error)) throw describe(error)
      // What another user has left there can be deleted by whoever may write in the folder.
      const isRemoved = await remove(path).then(
        () => true,
        () => false,
      )
      if (isRemoved) return create().catch((again: unknown) => notOpened(again, path))
      return notOpened(error, path)
    }
  }

  return {
    // `/~/` is the folder in which the user begins.
    toPath: (path) => path.replace(/^\/~\//, './'),
    async write(path, body) {
      const handle = await open(path)
      const progress = watchProgress(timeouts, resources.signal, () => performance.now())
      try {
        const pieces = inPieces(body(), WRITE_BYTES)
        await writeSftpFile(sftp, handle, pieces, progress)
        await lastAnswer((answer) => sftp.close(handle, done(answer)))
      } catch (error) {
        sftp.close(handle, () => undefined)
        throw error
      }
    },
    async measure(path) {
      const stats = await ask<Stats>((answer) => sftp.stat(path, answer)).catch(describeAnd)
      // Servers may leave out what they do not know, which the types do not say.
      return (stats as Partial<Stats>).size
    },
    async rename(from, to) {
      const rename = (by: 'ext_openssh_rename' | 'rename') =>
        ask((answer) => (sftp as Renaming)[by](from, to, done(answer))).then(
          () => 'done' as const,
          (error: unknown) => {
            if (!isOfSsh(error) || (isLost(error) && !isNotKnown(error))) throw describe(error)
            return 'refused' as const
          },
        )
      // Only with it a file is renamed over another in one step.
      return (await rename('ext_openssh_rename')) === 'done' ? 'done' : rename('rename')
    },
    remove: (path) => remove(path).catch(describeAnd),
  }

  /** Servers may only now store what they were sent. */
  async function lastAnswer(question: (answer: Answer<void>) => void): Promise<void> {
    const { signal, clear } = startDeadline(timeouts.acceptMs, notAccepted, resources.signal)
    const answered = new Promise<void>((resolve, reject) => {
      question((error) => (error ? reject(describeWriting(error)) : resolve()))
    })
    await waitUnlessAborted(answered, signal).finally(clear)
  }
}

/** Its types do not know of it. */
type Renaming = SFTPWrapper & { ext_openssh_rename: SFTPWrapper['rename'] }

const isNotKnown = ({ message }: Error) => message.includes('does not support')

function describeAnd(error: unknown): never {
  throw describe(error)
}

function describe(error: unknown): unknown {
  if (!isOfSsh(error)) return error
  if (isLost(error)) return lost(error)
  if (error.code === NO_SUCH_FILE) {
    return new FileError('no-file', 'The file is not at the server any more.', { cause: error })
  }
  if (error.code === PERMISSION_DENIED) return notPermitted(error)
  return new FileError('bad-answer', 'The server did not do what SFTP asks it to.', {
    cause: error,
  })
}

function notOpened(error: unknown, path: string): never {
  if (isOfSsh(error) && error.code === NO_SUCH_FILE) {
    throw new FileError(
      'no-file',
      `There is no folder ${toFolder(path)} at the server: make it there, or enter another one. Upper and lower case count.`,
      { cause: error },
    )
  }
  if (isOfSsh(error) && error.code === PERMISSION_DENIED) {
    throw new FileError(
      'not-permitted',
      `This user may not write into the folder ${toFolder(path)}: ask the operator of the server, or enter another one.`,
      { cause: error },
    )
  }
  if (isOfSsh(error) && !isLost(error)) {
    throw new FileError(
      'not-permitted',
      `The server lets no file be written into the folder ${toFolder(path)}: see that it is a folder, and that the disk is not full.`,
      { cause: error },
    )
  }
  throw describe(error)
}

/** As it is called in an address. */
function toFolder(path: string): string {
  const folder = dirname(path)
  return folder === '.' ? '/~' : folder
}

function notPermitted(cause: unknown): FileError {
  return new FileError(
    'not-permitted',
    'This user may not do that with the file: ask the operator of the server.',
    { cause },
  )
}

const notAccepted = () =>
  new FileError('answer-timeout', 'The server did not say in time that it has the file.')
