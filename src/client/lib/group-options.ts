import type { ListedGroup } from '../../shared/schemas/group'

/** The choices of a group; an empty value is none. */
export const toGroupOptions = (groups: readonly ListedGroup[]) => [
  { value: '', label: 'No group' },
  ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
]
