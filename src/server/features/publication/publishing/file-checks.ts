import { foldName } from '../../../../shared/categories'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { FileError } from '../../../files/file-error'
import type { FileReport } from '../../../files/ingest'
import { isWebText, textInsteadOfTable } from '../../../files/read/dialect/sniff'
import { withNewNames } from '../../../files/read/table/reserved-name'
import { readHead } from '../../catalogue/versions/connection-files'

/**
 * Checks a readable file before it replaces the last good one.
 * @param mediaType the media type of the response
 * @throws FileError when the file is a text, has no rows, or may have a hidden column under a new
 *   name
 */
export async function checkFile(
  deps: Deps,
  connection: ConnectionRow,
  report: FileReport,
  mediaType: string,
): Promise<void> {
  await checkColumns(deps, connection, report, mediaType)
  checkRows(report)
  await checkHiddenColumns(deps, connection, report)
}

/** Refuses a text such as a login page, which reads as a table of one column. */
async function checkColumns(
  deps: Deps,
  { publishedVersionId }: ConnectionRow,
  { columns, columnCount }: FileReport,
  mediaType: string,
) {
  if (columnCount > 1) return
  const published = publishedVersionId && (await readHead(deps, publishedVersionId))
  const hadMore = published && published.columnCount > 1
  if (hadMore || isWebText(columns, mediaType)) throw textInsteadOfTable(columns)
}

/** Refuses a file without rows, which would empty every retailer's shop. */
function checkRows({ rowCount }: FileReport): void {
  if (rowCount === 0) throw new FileError('no-rows', 'The file has a header but no rows.')
}

/**
 * Refuses a file in which a hidden column is gone while others are new: it may have been renamed, and
 * retailers would see it.
 */
async function checkHiddenColumns(
  deps: Deps,
  { publishedVersionId, columnPolicy }: ConnectionRow,
  { columns }: FileReport,
) {
  if (publishedVersionId === null || columnPolicy.hidden.length === 0) return
  const before = (await readHead(deps, publishedVersionId)).columns
  const isHidden = toNameFilter(withNewNames(columnPolicy.hidden))
  const isStillThere = toNameFilter(columns)
  const wasThere = toNameFilter(before)
  const gone = before.find((name) => isHidden(name) && !isStillThere(name))
  const appeared = columns.find((name) => !wasThere(name) && !isHidden(name))
  if (gone === undefined || appeared === undefined) return
  throw new FileError(
    'no-hidden-column',
    `The column “${gone}”, which you hide from retailers, is gone, and “${appeared}” is new. If it is the same column, hide its new name too; otherwise show “${gone}” again, under Columns.`,
  )
}

function toNameFilter(names: readonly string[]): (name: string) => boolean {
  const folded = new Set(names.map(foldName))
  return (name) => folded.has(foldName(name))
}
