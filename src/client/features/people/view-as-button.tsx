import { Menu } from '@mantine/core'
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
  const utils = trpc.useUtils()
  const [isOpen, setOpen] = useState(false)
  const [isAwaited, setAwaited] = useState(false)
  const viewed = listViewed(query.data ?? [])
  const isChoice = viewed.length > 1
  // Pressed before the people are known, it goes on when they are. Without them it is the company itself.
  const press = async () => {
    setAwaited(true)
    const people = await utils.people.list.ensureData({ companyId }).catch(() => [])
    setAwaited(false)
    if (listViewed(people).length > 1) setOpen(true)
    else viewAs.mutate({ userId: companyId })
  }
  return (
    <Menu
      position="bottom-end"
      width={260}
      opened={isOpen && isChoice}
      onChange={(opens) => (opens ? void press() : setOpen(false))}
    >
      <Menu.Target>
        <PendingButton
          variant="default"
          leftSection={<IconEye size={16} aria-hidden="true" />}
          rightSection={isChoice && <IconChevronDown size={14} aria-hidden="true" />}
          isPending={isAwaited || viewAs.isPending}
        >
          View as
        </PendingButton>
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
