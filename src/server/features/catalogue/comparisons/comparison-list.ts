import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { ChangeFilter } from '../../../../shared/schemas/comparison'
import type { ConnectionRow } from '../../../db/schema'
import { type Actor, selfOf } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { FileError } from '../../../files/file-error'
import { codeOf } from '../../../process/error-code'
import {
  CSV_FORM,
  findConnectionFile,
  recordConnectionRead,
  type FileForm,
} from '../versions/connection-files'
import { findDataTime } from '../versions/data-time'
import { locateKeys } from '../versions/locate-keys'
import type { VersionRecord } from '../versions/versions.queries'
import { toNaming } from './compared-versions'
import { findObstacle } from './obstacle'

/** Shorter than the time in which a connection without traffic is closed. */
const TIMEOUT_MS = 50_000

/** What differs between two files of a connection, as a file that is written when it is opened. */
export type ChangesFile = {
  title: string
  dataAsOf: number
  form: FileForm
  /** @throws DomainError UNAVAILABLE, TOO_LARGE */
  open(signal: AbortSignal): Promise<{ sizeBytes: number; content: Readable }>
  /** Records a read. To be called before it is sent. */
  onRead(): Promise<void>
}

/** Of which files, and of which items. */
type ChangesWanted = {
  id: number
  fileName: string
  olderFileName: string
  filter: ChangeFilter
}

/**
 * Finds two files of a connection whose differences are to be listed.
 * @throws DomainError NOT_FOUND; CONFLICT when they cannot be compared
 */
export async function findChanges(
  deps: Deps,
  actor: Actor,
  { id, fileName, olderFileName, filter }: ChangesWanted,
): Promise<ChangesFile> {
  const { connection, version: newer } = await findConnectionFile(deps.db, actor, { id, fileName })
  const { version: older } = await findConnectionFile(deps.db, actor, {
    id,
    fileName: olderFileName,
  })
  const obstacle = await findObstacle(deps, { older, newer })
  if (obstacle !== null) throw new DomainError('CONFLICT', obstacle)
  return {
    title: `Changes ${connection.name}`,
    dataAsOf: await findDataTime(deps.db, connection, newer),
    form: CSV_FORM,
    onRead: () => recordConnectionRead(deps, actor, connection, fileName),
    open: (signal) =>
      writeComparisonList(deps, actor, { connection, older, newer, filter }, signal),
  }
}

type ComparedFiles = {
  connection: ConnectionRow
  older: VersionRecord
  newer: VersionRecord
  filter: ChangeFilter
}

/**
 * Writes the list to a scratch file, which is removed when the stream is closed. Each user has one list at
 * a time, until it has been sent. No lease owns the scratch file: cleaning may remove it while it is
 * written, which the caller is told, and removes it after a crash.
 */
async function writeComparisonList(
  deps: Deps,
  actor: Actor,
  { connection, older, newer, filter }: ComparedFiles,
  caller: AbortSignal,
): Promise<{ sizeBytes: number; content: Readable }> {
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), caller])
  const release = await deps.changeLists.acquire(selfOf(actor).id, signal).catch(() => {
    throw unavailable()
  })
  const draft = deps.files.createDraft(randomUUID())
  const end = async () => {
    await draft.discard()
    release()
  }
  try {
    const [before, after] = [await locateKeys(deps, older), await locateKeys(deps, newer)]
    if (!before || !after || newer.keyColumn === null) throw unavailable()
    const { keyColumn } = newer
    const naming = toNaming(connection, newer)
    const task = { older: before, newer: after, keyColumn, naming, filter, draft: draft.path }
    const { content, rowCount } = await deps.readers.run('comparisonList', task, { signal })
    if (rowCount === null) throw tooLarge()
    const stream = await draft.openToSend()
    stream.once('close', () => {
      end().catch((error: unknown) =>
        deps.logger.warn(error, 'A scratch file could not be removed'),
      )
    })
    return { sizeBytes: content.sizeBytes, content: stream }
  } catch (error) {
    await end()
    if (error instanceof FileError || signal.aborted || codeOf(error) === 'ENOENT')
      throw unavailable()
    throw error
  }
}

function unavailable(): DomainError {
  const message = 'The changes could not be listed in time. Try again in a moment.'
  return new DomainError('UNAVAILABLE', message, { retryAfterSeconds: 2 })
}

function tooLarge(): DomainError {
  const message = 'The list of changes is larger than 512 MB. Download both files instead.'
  return new DomainError('TOO_LARGE', message)
}
