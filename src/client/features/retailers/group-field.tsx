import { NativeSelect } from '@mantine/core'

import { toGroupOptions } from '../../lib/group-options'
import { trpc } from '../../trpc'

interface GroupFieldProps {
  groupId: number | null
  /** What members of the group get; by default said of one. */
  description?: string
  onChange: (groupId: number | null) => void
}

const OF_ONE = 'It sees what the group sees, as often and in the same form.'

/** The group of a new retailer, whose settings it then has. Nothing while the supplier has no groups. */
export function GroupField({ groupId, description = OF_ONE, onChange }: GroupFieldProps) {
  const groups = trpc.groups.list.useQuery().data ?? []
  if (groups.length === 0) return null
  return (
    <NativeSelect
      label="Group"
      description={groupId === null ? undefined : description}
      data={toGroupOptions(groups)}
      value={groupId === null ? '' : String(groupId)}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : Number(value))}
    />
  )
}
