import { NativeSelect } from '@mantine/core'

import { toGroupOptions } from '../../lib/group-options'
import { trpc } from '../../trpc'

interface GroupFieldProps {
  groupId: number | null
  onChange: (groupId: number | null) => void
}

/** The group of a new retailer, whose settings it then has. Nothing while the supplier has no groups. */
export function GroupField({ groupId, onChange }: GroupFieldProps) {
  const groups = trpc.groups.list.useQuery().data ?? []
  if (groups.length === 0) return null
  return (
    <NativeSelect
      label="Group"
      description={
        groupId === null ? undefined : 'It sees what the group sees, as often and in the same form.'
      }
      data={toGroupOptions(groups)}
      value={groupId === null ? '' : String(groupId)}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : Number(value))}
    />
  )
}
