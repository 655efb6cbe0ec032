import { IconServerOff } from '@tabler/icons-react'

import type { ProcessRole } from '../../../shared/constants'
import type { RunningProcess, SystemState } from '../../../shared/schemas/system'
import { EmptyState } from '../../components/feedback/message-state'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Panel } from '../../components/layout/panel'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'

const ROLES: Record<ProcessRole, string> = {
  all: 'Web and background work',
  web: 'Web',
  parent: 'Starts web processes',
  worker: 'Background work',
  inbox: 'SFTP and mails',
}

const COLUMNS: Column<RunningProcess>[] = [
  {
    id: 'host',
    header: 'Machine',
    minWidth: 160,
    cell: ({ host, pid }) => <Truncated text={`${host}, process ${pid}`} tone="strong" />,
  },
  { id: 'role', header: 'Does', width: 220, cell: ({ role }) => ROLES[role] },
  {
    id: 'version',
    header: 'Version',
    minWidth: 130,
    cell: ({ version, revision }) => (
      <Truncated text={revision === null ? version : `${version} (${revision.slice(0, 7)})`} />
    ),
  },
  { id: 'runtime', header: 'Runtime', width: 140, cell: ({ runtime }) => runtime },
  {
    id: 'started',
    header: 'Started',
    width: 140,
    cell: ({ startedAt }) => <TimeAgo instant={startedAt} />,
  },
]

/** The processes of all machines that have said lately that they run. */
export function ProcessesPanel({ state: { processes, isMixed } }: { state: SystemState }) {
  return (
    <Panel
      isFlush
      title="Processes"
      description={
        isMixed ? (
          <StatusBadge tone="warn">Of several versions: update the others</StatusBadge>
        ) : (
          'Seen within the last three minutes'
        )
      }
    >
      {processes.length === 0 ? (
        <EmptyState isCompact icon={IconServerOff} title="No process seen yet">
          Each process says once a minute that it runs.
        </EmptyState>
      ) : (
        <DataTable label="Processes" columns={COLUMNS} rows={processes} rowKey={({ id }) => id} />
      )}
    </Panel>
  )
}
