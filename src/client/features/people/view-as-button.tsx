import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconEye } from '@tabler/icons-react'
import { useState } from 'react'

import type { Person } from '../../../shared/schemas/person'
import { PendingButton } from '../../components/feedback/pending-button'
import { displayNameOf } from '../../lib/display-name'
import { MEMBER_ROLE_LABELS } from '../../lib/member-roles'
import { useViewAs } from '../../session/use-view-as'
import { trpc } from '../../trpc'

/** Shows an administrator what a company sees; where several people sign in for it, what one of them does. */
export function ViewAsButton({ companyId }: { companyId: number }) {
  const viewAs = useViewAs()
  const query = trpc.people.list.useQuery({ companyId })
  const [isOpen, setOpen] = useState(false)
  const viewed = listViewed(query.data ?? [])
  const icon = <IconEye size={16} aria-hidden="true" />
  if (!query.isPending && viewed.length < 2) {
    return (
      <PendingButton
        variant="default"
        leftSection={icon}
        isPending={viewAs.isPending}
        onClick={() => viewAs.mutate({ userId: companyId })}
      >
        View as
      </PendingButton>
    )
  }
  return (
    // Pressed before the people are known, it opens with them.
    <Menu position="bottom-end" width={260} opened={isOpen && viewed.length > 0} onChange={setOpen}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={icon}
          rightSection={viewed.length > 0 && <IconChevronDown size={14} aria-hidden="true" />}
          loading={viewAs.isPending}
        >
          View as
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {viewed.map((person) => (
          <Menu.Item key={person.id} onClick={() => viewAs.mutate({ userId: person.id })}>
            <bdi>{displayNameOf(person)}</bdi>, {MEMBER_ROLE_LABELS[person.role].toLowerCase()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Those who can sign in, owners first. */
const listViewed = (people: readonly Person[]) =>
  people
    .filter(({ isActive }) => isActive)
    .toSorted((one, other) => Number(other.role === 'OWNER') - Number(one.role === 'OWNER'))
