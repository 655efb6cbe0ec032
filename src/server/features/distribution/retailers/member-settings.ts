import { GROUP_SETTINGS, type GroupSetting } from '../../../../shared/constants'
import type { RetailerChanges, RetailerGroupRow, RetailerRow } from '../../../db/schema'

type Settings = Pick<
  RetailerRow,
  'syncFrequencyMinutes' | 'isAllProducts' | 'categories' | 'profile' | 'priceRules'
>

/** Which column says that a setting is the retailer's own, and which ones it is. */
export const FLAGS = {
  visibilitySettings: 'hasOwnVisibility',
  syncFrequency: 'hasOwnFrequency',
  profile: 'hasOwnFormat',
  priceRules: 'hasOwnPrices',
} as const satisfies Record<GroupSetting, keyof RetailerRow>

export const COLUMNS: Record<GroupSetting, readonly (keyof Settings)[]> = {
  visibilitySettings: ['isAllProducts', 'categories'],
  syncFrequency: ['syncFrequencyMinutes'],
  profile: ['profile'],
  priceRules: ['priceRules'],
}

/** The settings of a group as those of a member, which has them from the group. */
export function toSettings(group: Settings, names: readonly GroupSetting[]): RetailerChanges {
  const changes: RetailerChanges = {}
  for (const name of names) {
    // A process of the version before, during an update, sees only what the retailer's row has.
    for (const column of COLUMNS[name]) Object.assign(changes, { [column]: group[column] })
    changes[FLAGS[name]] = false
  }
  return changes
}

/** What the row of a retailer has that has its settings from a group, all of them or all but those of its own. */
export const toMember = (group: RetailerGroupRow, own: readonly GroupSetting[] = []) => ({
  groupId: group.id,
  ...toSettings(
    group,
    GROUP_SETTINGS.filter((name) => !own.includes(name)),
  ),
})
