import type { Deps } from '../../../domain/deps'
import { checkDestinationsOf } from '../../distribution/destinations/due-destinations'
import { queueWaitingHistories } from '../../distribution/item-history/write-histories'
import { checkMergedFiles } from '../../distribution/merged-files/check-merged-files'
import { enforceStorageLimits } from '../../distribution/stored-files/storage-quota'
import { requestVariantsInUse } from '../../distribution/variants/variant-requests'

/**
 * Requests the files of a connection's retailers, has them sent where they are to be sent, makes room, and
 * has the version added to the history of its items. Errors are only logged: the version
 * stays published, and filtered files are also built on demand.
 */
export async function afterPublication(
  deps: Deps,
  published: { connectionId: number; versionId: number },
): Promise<void> {
  const { connectionId } = published
  try {
    await requestVariantsInUse(deps, published)
    await checkDestinationsOf(deps, connectionId)
    await checkMergedFiles(deps, connectionId)
    await enforceStorageLimits(deps, connectionId)
    await queueWaitingHistories(deps)
  } catch (error) {
    deps.logger.error({ err: error, connectionId }, 'A step after a publication failed')
  }
}
