import type { Db } from '../../../db/open'

/** Lists the newest files of a retailer since a time, newest first, with the rows of each and of what was shown. */
export function listRowCounts(
  db: Db,
  retailerId: number,
  { since, limit }: { since: number; limit: number },
) {
  return db
    .selectFrom('downloads')
    .innerJoin('versions', 'versions.id', 'downloads.versionId')
    .leftJoin('variants', (join) =>
      join
        .onRef('variants.versionId', '=', 'downloads.versionId')
        .onRef('variants.viewKey', '=', 'downloads.contentViewKey'),
    )
    .select([
      'downloads.downloadedAt',
      'downloads.contentViewKey',
      'versions.rowCount as versionRows',
      'variants.rowCount as shownRows',
    ])
    .where('downloads.retailerId', '=', retailerId)
    .where('downloads.downloadedAt', '>=', since)
    .orderBy('downloads.downloadedAt', 'desc')
    .limit(limit)
    .execute()
}
