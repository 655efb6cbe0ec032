import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { FeedError } from '../../feed/feed-error'
import type { FeedReport } from '../../feed/ingest'
import { isWebText, textInsteadOfTable } from '../../feed/read/sniff'
import { listCategorySets } from '../retailers/retailers.queries'
import { readHead } from '../versions/connection-files'

/**
 * What must hold of a file that can be read, before it takes the place of the last good one.
 * @param mediaType what the server called it
 * @throws FeedError
 */
export async function checkFile(
  deps: Deps,
  connection: ConnectionRow,
  report: FeedReport,
  mediaType: string,
): Promise<void> {
  await checkColumns(deps, connection, report, mediaType)
  checkRows(report)
  await checkCategories(deps, connection, report)
}

/** A login page in plain text reads as a table of one column. */
async function checkColumns(
  deps: Deps,
  { publishedVersionId }: ConnectionRow,
  { columns, columnCount }: FeedReport,
  mediaType: string,
) {
  if (columnCount > 1) return
  const published = publishedVersionId && (await readHead(deps, publishedVersionId))
  const hadMore = published && published.columnCount > 1
  if (hadMore || isWebText(columns, mediaType)) throw textInsteadOfTable(columns)
}

/** A file without rows would empty every shop that reads it. */
function checkRows({ rowCount }: FeedReport): void {
  if (rowCount === 0) throw new FeedError('no-rows', 'The file has a header but no rows.')
}

/** Without its category column, a file would empty the shops that see some categories only. */
async function checkCategories(deps: Deps, connection: ConnectionRow, report: FeedReport) {
  if (report.categoryReading !== null) return
  const sets = await listCategorySets(deps.db, connection.supplierId, 1)
  if (sets.length === 0 || connection.publishedVersionId === null) return
  throw new FeedError(
    'no-category-column',
    'The file has no category column, which some of your retailers’ files depend on.',
  )
}
