import { Badge, Text } from '@mantine/core'
import { IconPencil, IconRefreshDot } from '@tabler/icons-react'

import { formatOptionLabel } from '../../../shared/format'
import type { Connection } from '../../../shared/schemas/connection'
import { isSyncing } from '../../components/feedback/connection-status'
import { FreshnessBadge } from '../../components/feedback/freshness-badge'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { SourcePlace } from '../../components/layout/source-place'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions, type RowAction } from '../../components/table/row-actions'
import { RowSwitch } from '../../components/table/row-switch'
import type { Column } from '../../components/table/table-column'
import { formatPace } from '../../lib/format-pace'
import { useMay } from '../../session/may'
import { ConnectionHealth } from './connection-health'

interface ConnectionsTableProps {
  connections: Connection[] | undefined
  /** Ids of the connections whose switch is being saved and whose sync is being requested. */
  savingId: number | undefined
  syncingId: number | undefined
  onToggle: (connection: Connection, isActive: boolean) => void
  onSync: (connection: Connection) => void
  onEdit: (connection: Connection) => void
}

export function ConnectionsTable(props: ConnectionsTableProps) {
  const mayManage = useMay('manage')
  return (
    <DataTable
      label="Data connections"
      rows={props.connections}
      rowKey={({ id }) => id}
      columns={[...CONNECTION_COLUMNS, ...(mayManage ? managedColumns(props) : [STATUS_COLUMN])]}
      renderDetail={(connection) => (
        <ConnectionHealth
          connection={connection}
          heldNote="Compare it with the published one below."
        />
      )}
    />
  )
}

/** Columns: Name, Type, File Format, Last Sync, and then Status, Actions. */
const CONNECTION_COLUMNS: Column<Connection>[] = [
  {
    id: 'name',
    header: 'Name',
    minWidth: 132,
    cell: (connection) => <NameAndAddress connection={connection} />,
  },
  {
    id: 'type',
    header: 'Type',
    width: 80,
    cell: ({ type, config }) => (
      <Badge variant="default" radius="sm" fw={550} tt="none">
        {config.url === '' ? 'File' : formatOptionLabel(type)}
      </Badge>
    ),
  },
  { id: 'fileFormat', header: 'File Format', width: 100, cell: ({ fileFormat }) => fileFormat },
  {
    id: 'lastSync',
    header: 'Last Sync',
    width: 144,
    cell: (connection) => <LastSync connection={connection} />,
  },
]

/** For who may only look. */
const STATUS_COLUMN: Column<Connection> = {
  id: 'status',
  header: 'Status',
  width: 144,
  cell: ({ isActive }) => (
    <StatusBadge tone={isActive ? 'good' : 'neutral'}>
      {isActive ? 'Active' : 'Not Active'}
    </StatusBadge>
  ),
}

function managedColumns(props: ConnectionsTableProps): Column<Connection>[] {
  return [
    {
      id: 'status',
      header: 'Status',
      width: 144,
      cell: (connection) => (
        <RowSwitch
          label={`${connection.name} is active`}
          isOn={connection.isActive}
          isSaving={props.savingId === connection.id}
          onText="Active"
          offText="Not Active"
          onToggle={(isActive) => props.onToggle(connection, isActive)}
        />
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      actionCount: 2,
      cell: (connection) => (
        <RowActions rowName={connection.name} actions={connectionActions(connection, props)} />
      ),
    },
  ]
}

const connectionActions = (
  connection: Connection,
  { syncingId, onSync, onEdit }: ConnectionsTableProps,
): RowAction[] => [
  ...(connection.config.url === ''
    ? []
    : [
        {
          label: 'Sync now',
          icon: IconRefreshDot,
          isPending: syncingId === connection.id || isSyncing(connection.status),
          onClick: () => onSync(connection),
        },
      ]),
  { label: 'Edit', icon: IconPencil, onClick: () => onEdit(connection) },
]

const NameAndAddress = ({ connection }: { connection: Connection }) => (
  <>
    <Truncated text={connection.name} tone="strong" />
    <SourcePlace url={connection.config.url} tone="note" />
  </>
)

const LastSync = ({ connection }: { connection: Connection }) => (
  <>
    <div>
      {connection.lastSync ? <TimeAgo instant={connection.lastSync} /> : 'Never'}{' '}
      {connection.lastSync && <FreshnessBadge freshness={connection.freshness} />}
    </div>
    <Text component="div" c="dimmed" fz="sm">
      {formatPace(connection)}
    </Text>
  </>
)
