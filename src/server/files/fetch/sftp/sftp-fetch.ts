import { basename } from 'node:path/posix'

import type { SFTPWrapper, Stats } from 'ssh2'

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
import { type FileState, openSettled } from '../settled-file'
import { describeSftpFailure, readSftpFile } from './sftp-read'
import { openSftp } from './ssh-session'

const STANDARD_PORTS = [22]

/** Fetches a file over SFTP. */
export async function fetchOverSftp(
  { url, server, etag, isAwaited = false }: FetchRequest,
  context: FetchContext,
  resources: FetchResources,
): Promise<FetchResponse> {
  const place = readFilePlace(url)
  if (!place || !server)
    throw new FileError('bad-address', 'The address of an SFTP server is not complete.')
  requireOpenPort(place, STANDARD_PORTS, context.allow)
  await resources.acquireHost(place.host)
  const endpoint = { hostname: withoutBrackets(place.hostname), port: place.port }
  const { sftp } = await openSftp(endpoint, server, context, resources)
  const path = toServerPath(place.path)
  const ask = <T>(question: () => Promise<T>) => waitForAnswer(context, resources, question)
  return openSettled(
    {
      url,
      fileName: toFileName(basename(path)),
      etag,
      isAwaited,
      look: () => ask(() => findFile(sftp, path)),
      read: (state) => readSftpFile(sftp, path, state, ask),
    },
    context,
    resources,
  )
}

/** `/~/` is the folder in which the user begins. */
const toServerPath = (path: string) => path.replace(/^\/~\//, './')

/** @throws FileError `no-file` */
async function findFile(sftp: SFTPWrapper, path: string): Promise<FileState> {
  const stats = await new Promise<Stats>((resolve, reject) => {
    sftp.stat(path, (error, found) => (error ? reject(describeSftpFailure(error)) : resolve(found)))
  })
  if (stats.isDirectory())
    throw new FileError('no-file', 'At this address there is a folder: enter a file in it.')
  return { bytes: stats.size, changedAt: stats.mtime * 1_000 }
}
