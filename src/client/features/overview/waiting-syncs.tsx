import type { SyncActivity, WaitingSync } from '../../../shared/schemas/operations'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import type { CancellableSync } from './cancel-sync-dialog'
import { cancelColumn, connectionColumn, PLACE_CSV, supplierColumn } from './sync-columns'

export const WAITING_CSV = { ...PLACE_CSV, due: ({ dueAt }: WaitingSync) => dueAt }

interface WaitingSyncsProps {
  syncs: SyncActivity['waiting']
  onCancel: (sync: CancellableSync) => void
}

/** The syncs that are due and wait for a worker. */
export function WaitingSyncs({ syncs, onCancel }: WaitingSyncsProps) {
  return (
    <DataTable
      label="Waiting syncs"
      columns={waitingColumns(onCancel)}
      rows={syncs}
      rowKey={({ connectionId }) => connectionId}
    />
  )
}

function waitingColumns(onCancel: WaitingSyncsProps['onCancel']): Column<WaitingSync>[] {
  return [
    supplierColumn,
    connectionColumn,
    {
      id: 'dueAt',
      header: 'Due',
      width: 160,
      cell: ({ dueAt }) => <TimeAgo instant={dueAt} />,
    },
    cancelColumn(onCancel),
  ]
}
