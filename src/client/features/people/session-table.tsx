import { Badge } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'

import type { Session } from '../../../shared/schemas/session'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions } from '../../components/table/row-actions'
import type { Column } from '../../components/table/table-column'

import classes from './people.module.css'

interface SessionTableProps {
  sessions: readonly Session[] | undefined
  /** Absent for who may only look. */
  ending?: { endingId: string | undefined; onEnd: (id: string) => void } | undefined
}

const nameOf = ({ program }: Session) => program ?? 'Unknown program'

/** Where somebody is signed in. */
export function SessionTable({ sessions, ending }: SessionTableProps) {
  return (
    <DataTable
      label="Sessions"
      rows={sessions}
      rowKey={({ id }) => id}
      columns={ending ? [...COLUMNS, actionsColumn(ending)] : COLUMNS}
    />
  )
}

const COLUMNS: Column<Session>[] = [
  {
    id: 'program',
    header: 'Program',
    minWidth: 190,
    cell: (session) => (
      <div className={classes.name}>
        <Truncated text={nameOf(session)} tone="strong" />
        {session.isPresent && (
          <Badge variant="default" radius="sm" fw={550} tt="none" flex="none">
            This one
          </Badge>
        )}
      </div>
    ),
  },
  {
    id: 'address',
    header: 'Address',
    minWidth: 150,
    cell: ({ address }) => (address ? <Truncated text={address} dir="ltr" /> : 'Not known'),
  },
  { id: 'since', header: 'Since', width: 150, cell: ({ since }) => <TimeAgo instant={since} /> },
  {
    id: 'lastUsed',
    header: 'Last used',
    width: 150,
    cell: ({ lastUsedAt }) => <TimeAgo instant={lastUsedAt} />,
  },
]

const actionsColumn = ({
  endingId,
  onEnd,
}: NonNullable<SessionTableProps['ending']>): Column<Session> => ({
  id: 'actions',
  header: 'Actions',
  align: 'right',
  actionCount: 1,
  cell: (session) =>
    !session.isPresent && (
      <RowActions
        rowName={nameOf(session)}
        actions={[
          {
            label: 'Sign out there',
            name: 'Sign out of',
            icon: IconLogout,
            isPending: endingId === session.id,
            onClick: () => onEnd(session.id),
          },
        ]}
      />
    ),
})
