import type { RunningSync, SyncActivity } from '../../../shared/schemas/operations'
import { TimeAgo } from '../../components/feedback/time-ago'
import { TransferProgress } from '../../components/feedback/transfer-progress'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import type { CancellableSync } from './cancel-sync-dialog'
import { cancelColumn, connectionColumn, PLACE_CSV, supplierColumn } from './sync-columns'

export const RUNNING_CSV = {
  ...PLACE_CSV,
  started: ({ startedAt }: RunningSync) => startedAt,
  'bytes read': ({ progress }: RunningSync) => progress.bytes,
  'bytes expected': ({ progress }: RunningSync) => progress.expectedBytes,
  'rows read': ({ progress }: RunningSync) => progress.rows,
}

interface RunningSyncsProps {
  runs: SyncActivity['running'] | undefined
  onCancel: (sync: CancellableSync) => void
}

/** The syncs that run now, with their progress. */
export function RunningSyncs({ runs, onCancel }: RunningSyncsProps) {
  return (
    <DataTable
      label="Running syncs"
      columns={runColumns(onCancel)}
      rows={runs}
      rowKey={({ connectionId }) => connectionId}
      renderDetail={({ connectionName, progress }) => (
        <TransferProgress name={connectionName} progress={progress} />
      )}
    />
  )
}

function runColumns(onCancel: RunningSyncsProps['onCancel']): Column<RunningSync>[] {
  return [
    supplierColumn,
    connectionColumn,
    {
      id: 'startedAt',
      header: 'Started',
      width: 160,
      cell: ({ startedAt }) => <TimeAgo instant={startedAt} />,
    },
    cancelColumn(onCancel),
  ]
}
