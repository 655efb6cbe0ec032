import { basename, dirname, join } from 'node:path/posix'

import { toFileName } from '../../../../shared/file-name'
import { readFilePlace } from '../../../../shared/file-server-address'
import { FileError } from '../../file-error'
import { requireOpenPort, withoutBrackets } from '../address-rules'
import {
  type FetchContext,
  type FetchRequest,
  type FetchResources,
  type FetchResponse,
  waitForAnswer,
} from '../fetch-context'
import { findNewestFile, isPattern } from '../newest-file'
import { type FileState, openSettled } from '../settled-file'
import { tidyFile, unlessGone } from '../tidy-file'
import { createSftpCalls } from './sftp-calls'
import { openSftp } from './ssh-session'

const STANDARD_PORTS = [22]

/** Fetches a file over SFTP, or moves or deletes one that was read. */
export async function fetchOverSftp(
  request: FetchRequest,
  context: FetchContext,
  resources: FetchResources,
): Promise<FetchResponse> {
  const { url, server, etag, tidying, newerThan, isAwaited = false, mayBeGone = false } = request
  const place = readFilePlace(url)
  if (!place || !server) {
    throw new FileError('bad-address', 'The address of an SFTP server is not complete.')
  }
  requireOpenPort(place, STANDARD_PORTS, context.allow)
  await resources.acquireHost(place.host)
  const endpoint = { hostname: withoutBrackets(place.hostname), port: place.port }
  const { sftp } = await openSftp(endpoint, server, context, resources)
  const ask = <T>(question: () => Promise<T>) => waitForAnswer(context, resources, question)
  const calls = createSftpCalls(sftp, ask)
  const named = toServerPath(place.path)
  if (tidying) {
    await tidyFile(calls.fileAt(inFolderOf(named, tidying.foundName)), tidying, context.now())
    return UNCHANGED
  }
  const read = async () => {
    const foundName = isPattern(named)
      ? await findNewestFile(calls.list(dirname(named)), { pattern: basename(named), newerThan })
      : undefined
    const path = inFolderOf(named, foundName)
    const { look } = calls.fileAt(path)
    const file = {
      url,
      fileName: toFileName(basename(path)),
      foundName,
      etag,
      isAwaited,
      look,
      read: (state: FileState) => calls.read(path, state),
    }
    return openSettled(file, context, resources)
  }
  return (await (mayBeGone ? unlessGone(read()) : read())) ?? UNCHANGED
}

const UNCHANGED = { kind: 'unchanged' } as const

/** `/~/` is the folder in which the user begins. */
const toServerPath = (path: string) => path.replace(/^\/~\//, './')

const inFolderOf = (path: string, name: string | undefined) =>
  name === undefined ? path : join(dirname(path), name)
