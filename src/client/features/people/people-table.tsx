import { Badge, Text } from '@mantine/core'
import {
  IconDevices,
  IconEye,
  IconKey,
  IconLock,
  IconLockOpen,
  IconShieldOff,
  IconUserCog,
  IconUserMinus,
} from '@tabler/icons-react'

import { formatCountOf } from '../../../shared/format'
import type { Person } from '../../../shared/schemas/person'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions, type RowAction } from '../../components/table/row-actions'
import type { Column } from '../../components/table/table-column'
import { displayNameOf } from '../../lib/display-name'
import { MEMBER_ROLE_LABELS } from '../../lib/member-roles'

import classes from './people.module.css'

interface PeopleTableProps {
  people: readonly Person[] | undefined
  /** What owners and administrators do with them; undefined for everybody else. */
  changes: PersonChanges | undefined
  /** Shows administrators what the person sees, and where it is signed in. */
  viewing:
    | {
        onView: (person: Person) => void
        viewedId: number | undefined
        onShowSessions: (person: Person) => void
      }
    | undefined
}

interface PersonChanges {
  /** The one whose access is being given. */
  savingId: number | undefined
  onChangeRole: (person: Person) => void
  onGiveAccess: (person: Person) => void
  onTakeAccess: (person: Person) => void
  onRemove: (person: Person) => void
  onTurnOffSecondFactor: (person: Person) => void
  onShowKeys: (person: Person) => void
}

export function PeopleTable({ people, changes, viewing }: PeopleTableProps) {
  const last = people && findLastOwner(people)
  const actionCount = (viewing ? 2 : 0) + (changes ? 5 : 0)
  const listActions = (person: Person): RowAction[] => [
    ...(viewing && person.isActive
      ? [viewAction(person, viewing), sessionsAction(person, viewing)]
      : []),
    ...(changes && person.isActive && !person.isSelf ? [keysAction(person, changes)] : []),
    ...(changes && hasFactors(person) && !person.isSelf ? [factorAction(person, changes)] : []),
    ...(changes && person !== last ? changeActions(person, changes) : []),
  ]
  return (
    <DataTable
      label="People"
      rows={people}
      rowKey={({ id }) => id}
      columns={actionCount > 0 ? [...COLUMNS, actionsColumn(actionCount, listActions)] : COLUMNS}
      renderDetail={(person) =>
        changes &&
        people &&
        people.length > 1 &&
        person === last && (
          <Text c="dimmed" fz="sm">
            The only owner who can sign in. A company needs one: make somebody else an owner before
            this one is changed or removed.
          </Text>
        )
      }
    />
  )
}

const actionsColumn = (
  actionCount: number,
  listActions: (person: Person) => RowAction[],
): Column<Person> => ({
  id: 'actions',
  header: 'Actions',
  align: 'right',
  actionCount,
  cell: (person) => <RowActions rowName={displayNameOf(person)} actions={listActions(person)} />,
})

/** The only owner who can sign in: without, nobody could change the company any more. */
function findLastOwner(people: readonly Person[]): Person | undefined {
  const owners = people.filter(({ isActive, role }) => isActive && role === 'OWNER')
  return owners.length === 1 ? owners[0] : undefined
}

const COLUMNS: Column<Person>[] = [
  { id: 'name', header: 'Name', minWidth: 170, cell: (person) => <Name person={person} /> },
  {
    id: 'role',
    header: 'Role',
    width: 150,
    cell: ({ role, isFirst, hasSecondFactor, passkeyCount }) => (
      <>
        {MEMBER_ROLE_LABELS[role]}
        {isFirst && (
          <Text component="div" c="dimmed" fz="sm">
            First login
          </Text>
        )}
        {hasSecondFactor && (
          <Text component="div" c="dimmed" fz="sm">
            Second factor on
          </Text>
        )}
        {passkeyCount > 0 && (
          <Text component="div" c="dimmed" fz="sm">
            {formatCountOf(passkeyCount, 'passkey')}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'lastSeen',
    header: 'Last seen',
    width: 150,
    cell: ({ isActive, lastSeenAt }) => {
      if (!isActive) return <StatusBadge tone="neutral">No access</StatusBadge>
      return lastSeenAt ? <TimeAgo instant={lastSeenAt} /> : 'Not signed in'
    },
  },
  {
    id: 'mail',
    header: 'E-mail',
    minWidth: 150,
    cell: ({ mailAddress }) =>
      mailAddress ? <Truncated text={mailAddress} dir="ltr" /> : 'None confirmed',
  },
]

function Name({ person }: { person: Person }) {
  const name = displayNameOf(person)
  return (
    <>
      <div className={classes.name}>
        <Truncated text={name} tone="strong" />
        {person.isSelf && (
          <Badge variant="default" radius="sm" fw={550} tt="none" flex="none">
            You
          </Badge>
        )}
      </div>
      {name !== person.username && <Truncated text={person.username} tone="note" />}
    </>
  )
}

const viewAction = (
  person: Person,
  { onView, viewedId }: NonNullable<PeopleTableProps['viewing']>,
): RowAction => ({
  label: 'View as',
  icon: IconEye,
  isPending: viewedId === person.id,
  onClick: () => onView(person),
})

const sessionsAction = (
  person: Person,
  { onShowSessions }: NonNullable<PeopleTableProps['viewing']>,
): RowAction => ({
  label: 'Sessions',
  name: 'Sessions of',
  icon: IconDevices,
  onClick: () => onShowSessions(person),
})

const hasFactors = ({ hasSecondFactor, passkeyCount }: Person) =>
  hasSecondFactor || passkeyCount > 0

/** For whoever has lost them. */
const factorAction = (person: Person, changes: PersonChanges): RowAction => ({
  ...(person.hasSecondFactor
    ? { label: 'Turn off second factor', name: 'Turn off the second factor of' }
    : { label: 'Remove passkeys', name: 'Remove the passkeys of' }),
  icon: IconShieldOff,
  onClick: () => changes.onTurnOffSecondFactor(person),
})

const keysAction = (person: Person, changes: PersonChanges): RowAction => ({
  label: 'API keys',
  name: 'API keys of',
  icon: IconKey,
  onClick: () => changes.onShowKeys(person),
})

/** The first login is always an owner, who can only go. */
const changeActions = (person: Person, changes: PersonChanges): RowAction[] => [
  ...(person.isFirst
    ? []
    : [
        {
          label: 'Change role',
          name: 'Change the role of',
          icon: IconUserCog,
          onClick: () => changes.onChangeRole(person),
        },
        person.isActive
          ? {
              label: 'Take access away',
              name: 'Take access away from',
              icon: IconLock,
              onClick: () => changes.onTakeAccess(person),
            }
          : {
              label: 'Give access',
              name: 'Give access to',
              icon: IconLockOpen,
              isPending: changes.savingId === person.id,
              onClick: () => changes.onGiveAccess(person),
            },
      ]),
  {
    label: 'Remove',
    icon: IconUserMinus,
    isDestructive: true,
    onClick: () => changes.onRemove(person),
  },
]
