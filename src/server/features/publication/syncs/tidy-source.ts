import { isDeepStrictEqual } from 'node:util'

import { DAY_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionChanges, ConnectionRow } from '../../../db/schema'
import type { ReadFile } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { logFailure } from '../../../domain/log-failure'
import { FileError } from '../../../files/file-error'
import {
  findConnection,
  updateConnectionRow,
} from '../../catalogue/connections/connections.queries'
import { openSource } from '../../catalogue/connections/open-source'
import { sourceOf } from '../../catalogue/connections/source-config'
import { areLeft } from '../../catalogue/connections/transfer-settings'
import type { Publication } from '../publishing/publish-file'
import type { Fetched } from './fetch-file'

/** What is to be moved or deleted once it is published or decided against: a held file waits for its decision. */
export function noteReadFile(
  connection: ConnectionRow,
  fetched: Fetched,
  { outcome }: Publication,
  now: number,
): ConnectionChanges {
  if (areLeft(connection)) return connection.readFile ? { readFile: null } : {}
  if (fetched.kind === 'unchanged') return {}
  const { etag, lastModified, foundName = null } = fetched
  if (etag === null) {
    const untold = { etag: '', foundName, changedAt: null, state: 'done', error: UNTOLD } as const
    return { readFile: untold }
  }
  const changedAt = lastModified === null ? null : toBelievable(Date.parse(lastModified), now)
  const state = outcome === 'held' ? 'held' : 'due'
  return { readFile: { etag, foundName, changedAt, state, error: null } }
}

const UNTOLD =
  'The server does not tell when files are changed, so that nobody could tell whether it is still the one that was read.'

/** A time that lies ahead, and not only by a clock that is fast, would hide every file that comes until then. */
const toBelievable = (time: number, now: number) => (time > now + DAY_MS ? now : time)

/**
 * Moves or deletes the file at its server that was read last, if that is due. Why it could not is told, fails nothing,
 * and is tried again by the next sync.
 * @param known the connection as its sync began: whoever had files left at their server then asks for no row
 */
export async function tidySource(
  deps: Deps,
  known: ConnectionRow,
  signal: AbortSignal,
): Promise<void> {
  if (areLeft(known)) return
  const { id, supplierId } = known
  const connection = await findConnection(deps.db, id, { supplierId })
  const { readFile } = connection ?? {}
  if (!connection || readFile?.state !== 'due' || areLeft(connection)) return
  const error = await tryToTidy(deps, connection, readFile, signal)
  await inTransaction(deps.db, async (trx) => {
    const now = await findConnection(trx, id, { supplierId })
    // Another sync may have read another file meanwhile.
    if (!now || !isDeepStrictEqual(now.readFile, readFile)) return
    const state = error === null ? 'done' : 'due'
    await updateConnectionRow(trx, now, { readFile: { ...readFile, state, error } })
  })
}

async function tryToTidy(
  deps: Deps,
  connection: Owned<ConnectionRow>,
  { etag, foundName }: ReadFile,
  signal: AbortSignal,
): Promise<string | null> {
  const { afterReading } = connection.config.transfer ?? {}
  if (!afterReading) return null
  try {
    const source = openSource(deps, { ...connection, config: sourceOf(connection), part: 'source' })
    const tidying = { etag, foundName: foundName ?? undefined, afterReading }
    const options = { source: { ...source, tidying }, hosts: deps.hosts, signal }
    await deps.readers.run('ingest', nothingToRead, options)
    return null
  } catch (error) {
    signal.throwIfAborted()
    logFailure(deps.logger, error, 'A file that was read could not be moved or deleted', {
      connectionId: connection.id,
    })
    return error instanceof FileError ? error.message : 'Something went wrong on our side.'
  }
}

/** Whoever tidies reads nothing. */
const nothingToRead = () => Promise.reject(new Error('A file that is moved or deleted is not read'))
