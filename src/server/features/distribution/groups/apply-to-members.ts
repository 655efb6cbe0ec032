import type { WriteTransaction } from '../../../db/open'
import type { RetailerGroupChanges, RetailerGroupRow } from '../../../db/schema'
import { deleteFileLinksOfGroup } from '../destinations/file-links.queries'
import { followFiles } from '../retailers/follow-files'
import { mustEndLinks } from '../retailers/visibility'
import { replaceGroupRequests } from '../variants/variant-requests'

/**
 * Does for all members of a group what a change of its settings leads to, as `changeRetailer` does for one: by a few
 * statements, however many there are.
 * @param write stores the changes
 */
export async function applyToMembers(
  trx: WriteTransaction,
  group: RetailerGroupRow,
  changes: RetailerGroupChanges,
  now: number,
  write: () => Promise<void>,
): Promise<void> {
  const { isAllProducts, categories, profile, priceRules, syncFrequencyMinutes } = changes
  const isOtherFile = [isAllProducts, categories, profile, priceRules].some(
    (value) => value !== undefined,
  )
  if (isOtherFile) await replaceGroupRequests(trx, group, now, write)
  else await write()
  if (isOtherFile || syncFrequencyMinutes !== undefined) {
    await followFiles(trx, { groupId: group.id }, now)
  }
  // They lead to what members saw before.
  if (mustEndLinks(group, changes)) await deleteFileLinksOfGroup(trx, group.id)
}
