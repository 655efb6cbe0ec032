import { BROWSED_ROWS } from '../../../../shared/constants'
import type { Delimiter } from '../../../../shared/delimiters'
import type { BrowseRowsInput, RowsPage } from '../../../../shared/schemas/file-rows'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import type { RowPlace } from '../../../files/browse'
import { SealError } from '../../../secrets/secret-box'
import { findConnectionFile, readHead, recordConnectionRead } from './connection-files'
import { readStoredFile } from './read-stored-file'

/** How much of a file one call reads at most: the longest search takes about a second. */
const MAX_BYTES = 16 * 1024 * 1024

/** A stored file with all the rows that the caller may see. */
export type BrowsableFile = {
  sha256: string
  rowCount: number
  delimiter: Delimiter
  columns: string[]
  columnCount: number
}

type Browsing = Omit<BrowseRowsInput, 'id' | 'fileName'> & {
  /** Fires when the caller no longer waits. */
  signal?: AbortSignal | undefined
}

/** Returns a page of the rows of a connection's published file. */
export async function browseConnectionRows(
  deps: Deps,
  actor: Actor,
  { id, fileName, ...browsing }: BrowseRowsInput & Pick<Browsing, 'signal'>,
): Promise<RowsPage> {
  const { connection, version } = await findConnectionFile(deps.db, actor, { id, fileName })
  const { sha256, rowCount } = version
  const head = await readHead(deps, version.id)
  if (!browsing.cursor) await recordConnectionRead(deps, actor, connection, fileName)
  return browseRows(deps, actor, { ...head, sha256, rowCount, delimiter: ',' }, browsing)
}

/**
 * Returns a page of the rows of a stored file, read by a child process. Each user reads one page at a
 * time; further calls wait.
 * @throws DomainError INVALID for a cursor of another file; UNAVAILABLE when the file is gone, or
 *   cannot be read within 20 seconds
 */
export async function browseRows(
  deps: Deps,
  actor: Actor,
  file: BrowsableFile,
  { q, cursor, signal }: Browsing,
): Promise<RowsPage> {
  const from = cursor ? openCursor(deps, file, cursor) : { offset: 0, row: 0 }
  const { columns, columnCount, delimiter } = file
  const task = {
    delimiter,
    columns,
    from,
    query: q.trim(),
    maxRows: BROWSED_ROWS,
    maxBytes: MAX_BYTES,
  }
  const { sha256 } = file
  const { rows, end, hasMore } = await readStoredFile(
    deps,
    actor,
    { sha256, signal },
    (path, until) => deps.readers.run('browse', { ...task, file: path }, { signal: until }),
  )
  return {
    columns,
    columnCount,
    rows,
    rowsRead: end.row,
    rowCount: file.rowCount,
    nextCursor: hasMore ? sealCursor(deps, file, end) : null,
  }
}

/** Sealed, so that a caller can neither read nor choose places, and for this file only. */
function sealCursor(deps: Deps, { sha256 }: BrowsableFile, { offset, row }: RowPlace): string {
  return deps.secrets.seal(`${offset} ${row}`, cursorPlace(sha256))
}

function openCursor(deps: Deps, { sha256 }: BrowsableFile, cursor: string): RowPlace {
  try {
    const [offset = 0, row = 0] = deps.secrets
      .open(cursor, cursorPlace(sha256))
      .split(' ')
      .map(Number)
    return { offset, row }
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    const message = 'These rows have changed since. Start again from the first page.'
    throw new DomainError('INVALID', message, { field: 'cursor' })
  }
}

const cursorPlace = (sha256: string) => `rows of ${sha256}`
