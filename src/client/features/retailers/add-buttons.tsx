import { Button, Group } from '@mantine/core'
import { IconPlaylistAdd, IconPlus, IconUsers, IconUsersGroup } from '@tabler/icons-react'

import { formatCount } from '../../../shared/format'
import { ButtonLink } from '../../components/layout/links'

import classes from './add-buttons.module.css'

interface AddButtonsProps {
  /** Only set when it has been reached. */
  limit: number | undefined
  onAdd: () => void
  onAddSeveral: () => void
  onInvite: () => void
  /** Retailers who are invited, and have a place already. */
  invitedCount: number
}

/** The ways in which a supplier gets retailers, and the groups they come into. */
export function AddButtons({
  limit,
  onAdd,
  onAddSeveral,
  onInvite,
  invitedCount,
}: AddButtonsProps) {
  const isFull = limit !== undefined
  const reason = isFull ? 'retailer-limit' : undefined
  return (
    <div className={classes.limited}>
      <Group gap="xs">
        <Button
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          disabled={isFull}
          aria-describedby={reason}
          onClick={onAdd}
        >
          Add Retailer
        </Button>
        <Button
          variant="default"
          leftSection={<IconPlaylistAdd size={16} aria-hidden="true" />}
          disabled={isFull}
          aria-describedby={reason}
          onClick={onAddSeveral}
        >
          Add several
        </Button>
        <Button
          variant="default"
          leftSection={<IconUsers size={16} aria-hidden="true" />}
          disabled={isFull}
          aria-describedby={reason}
          onClick={onInvite}
        >
          Invite
        </Button>
        <GroupsLink />
      </Group>
      {isFull && (
        <p id="retailer-limit" className={classes.limit}>
          Limit reached:{' '}
          {limit === 1
            ? 'the only allowed retailer is'
            : `all ${formatCount(limit)} allowed retailers are`}{' '}
          in use{invitedCount > 0 && ' or invited'}. An administrator can raise the limit.
        </p>
      )}
    </div>
  )
}

export const GroupsLink = () => (
  <ButtonLink
    to="/supplier/groups"
    variant="default"
    leftSection={<IconUsersGroup size={16} aria-hidden="true" />}
  >
    Groups
  </ButtonLink>
)
