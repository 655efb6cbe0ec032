import { basename } from 'node:path/posix'

import { toFileName } from '../../../../shared/file-name'
import { readFilePlace } from '../../../../shared/file-server-address'
import { FileError } from '../../file-error'
import { requireOpenPort } from '../address-rules'
import type { FetchContext, FetchRequest, FetchResources, FetchResponse } from '../fetch-context'
import { openSettled } from '../settled-file'
import { readFtpFile } from './ftp-read'
import { openFtp } from './ftp-session'
import { findFtpFile } from './ftp-state'

/** Fetches a file over FTP, with TLS or without. */
export async function fetchOverFtp(
  { url, server, etag, isAwaited = false }: FetchRequest,
  context: FetchContext,
  resources: FetchResources,
): Promise<FetchResponse> {
  const place = readFilePlace(url)
  if (!place || !server)
    throw new FileError('bad-address', 'The address of an FTP server is not complete.')
  requireOpenPort(place, place.protocol === 'ftps:' ? [990] : [21], context.allow)
  await resources.acquireHost(place.host)
  const session = await openFtp(place, server, context, resources)
  const path = toServerPath(place.path)
  return openSettled(
    {
      url,
      fileName: toFileName(basename(place.path)),
      etag,
      isAwaited,
      look: () => findFtpFile(session, path),
      read: () => readFtpFile(session, path, context, resources),
    },
    context,
    resources,
  )
}

/** The folder in which the user begins is where the path does; with a second slash, it begins at the root. */
const toServerPath = (path: string) => path.slice(1).replace(/^ /, './ ')
