import type { DownloadRecord } from '../../../../shared/schemas/file'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { loadRetailer } from '../retailers/retailers'
import { readDownloads } from './pull-records'
import { DOWNLOAD_LIFETIME_MS } from './recent-downloads'

/** Lists a retailer's last downloads, newest first, for the retailer and its supplier. */
export async function listDownloads(
  deps: Deps,
  actor: Actor,
  retailerId: number,
): Promise<DownloadRecord[]> {
  const { id } = await loadRetailer(deps.db, actor, retailerId)
  const downloads = (await readDownloads(deps.db, [id])).get(id)?.newestDownloads ?? []
  const oldest = deps.clock.now() - DOWNLOAD_LIFETIME_MS
  return downloads
    .filter(({ pulledAt }) => pulledAt >= oldest)
    .map((download) => ({
      id: download.id,
      downloadedAt: new Date(download.pulledAt).toISOString(),
      fileName: download.fileName,
      dataAsOf: new Date(download.dataAsOf).toISOString(),
      rowCount: download.rowCount,
      fileSize: download.sizeBytes,
      client: download.client,
    }))
}
