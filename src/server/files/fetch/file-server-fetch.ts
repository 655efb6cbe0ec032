import { basename, dirname, join } from 'node:path/posix'

import { toFileName } from '../../../shared/file-name'
import { type FilePlace, readFilePlace } from '../../../shared/file-server-address'
import { SOURCE_SCHEMES } from '../../../shared/source-schemes'
import { FileError } from '../file-error'
import { requireOpenPort } from './address-rules'
import type { FetchContext, FetchRequest, FetchResources, FetchResponse } from './fetch-context'
import type { FileServer, FileServerAccess, FileState } from './file-server'
import { findNewestFile, isPattern } from './newest-file'
import { openSettled } from './settled-file'
import { tidyFile, unlessGone } from './tidy-file'

/** Signs in to a server. @throws FileError */
export type OpenFileServer = (
  place: FilePlace,
  access: FileServerAccess,
  context: FetchContext,
  resources: FetchResources,
) => Promise<FileServer>

const UNCHANGED = { kind: 'unchanged' } as const

/** Fetches a file from a server of SFTP or FTP, or moves or deletes one that was read. */
export const fetchFromServer =
  (open: OpenFileServer) =>
  async (
    request: FetchRequest,
    context: FetchContext,
    resources: FetchResources,
  ): Promise<FetchResponse> => {
    const { url, server: access, tidying, mayBeGone = false } = request
    const place = readFilePlace(url)
    if (!place || !access) {
      throw new FileError('bad-address', 'The address of the server is not complete.')
    }
    requireOpenPort(place, [SOURCE_SCHEMES[place.protocol].port], context.allow)
    await resources.acquireHost(place.host)
    const server = await open(place, access, context, resources)
    const path = server.toPath(place.path)
    if (tidying) {
      await tidyFile(server, inFolderOf(path, tidying.foundName), tidying, context.now())
      return UNCHANGED
    }
    const read = readFrom(server, path, request, context, resources)
    return (await (mayBeGone ? unlessGone(read) : read)) ?? UNCHANGED
  }

async function readFrom(
  server: FileServer,
  named: string,
  { url, etag, notBefore, isAwaited = false }: FetchRequest,
  context: FetchContext,
  resources: FetchResources,
): Promise<FetchResponse> {
  const timeOf = async (name: string) => (await server.look(inFolderOf(named, name))).changedAt
  const wanted = { pattern: basename(named), notBefore }
  const foundName = isPattern(named)
    ? await findNewestFile(server.list(dirname(named)), wanted, timeOf)
    : undefined
  const path = inFolderOf(named, foundName)
  const file = {
    url,
    fileName: toFileName(basename(path)),
    foundName,
    etag,
    isAwaited,
    look: () => server.look(path),
    read: (state: FileState) => server.read(path, state),
  }
  return openSettled(file, context, resources)
}

const inFolderOf = (path: string, name: string | undefined) =>
  name === undefined ? path : join(dirname(path), name)
