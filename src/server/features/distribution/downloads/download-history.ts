import type { DownloadRecord } from '../../../../shared/schemas/file'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { loadRetailer } from '../retailers/retailers'
import { listPulls } from './pulls.queries'

const SHOWN = 20

/** Lists a retailer's last downloads, newest first, for the retailer and its supplier. */
export async function listDownloads(
  deps: Deps,
  actor: Actor,
  retailerId: number,
): Promise<DownloadRecord[]> {
  const { id } = await loadRetailer(deps.db, actor, retailerId)
  const pulls = await listPulls(deps.db, id, SHOWN)
  return pulls.map((pull) => ({
    id: pull.id,
    downloadedAt: new Date(pull.pulledAt).toISOString(),
    fileName: pull.fileName,
    dataAsOf: new Date(pull.dataAsOf).toISOString(),
    rowCount: pull.rowCount,
    fileSize: pull.sizeBytes,
    client: pull.client,
  }))
}
