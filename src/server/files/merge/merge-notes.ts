import type { ProblemLog } from '../read/problems'
import { listNames } from '../tables/names'
import type { MergeTally } from './merge-files'
import type { MergePlan } from './merge-plan'

/** Tells what the supplier should know of a merge. */
export function reportMerge(
  problems: ProblemLog,
  { ignored, lacking }: MergePlan,
  { added, absent, withoutCategory }: MergeTally,
): void {
  const add = (message: string, count = 1) => problems.add(null, message, { count })
  if (ignored.length > 0) {
    const names = listNames(ignored.map(nameColumn))
    add(
      `Columns that the published file does not have were left out: ${names}. A full file brings them.`,
    )
  }
  if (added > 0 && lacking.length > 0) {
    add(
      `New items have nothing in ${listNames(lacking.map(nameColumn))}, which the update does not have.`,
      added,
    )
  }
  if (withoutCategory > 0) {
    add(
      'New items have no category of their own. Give each new item its category.',
      withoutCategory,
    )
  }
  if (absent > 0) {
    add('Items that the update removes are not in the published file.', absent)
  }
}

const nameColumn = (name: string) => (name === '' ? 'a column without a name' : name)
