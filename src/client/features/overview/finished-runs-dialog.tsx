import { Group, Modal, Text } from '@mantine/core'
import { IconHistoryOff } from '@tabler/icons-react'

import { MAX_FINISHED_RUNS, type SyncOutcome } from '../../../shared/constants'
import { formatCount } from '../../../shared/format'
import type { FinishedRun } from '../../../shared/schemas/operations'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { StatusBadge } from '../../components/feedback/status-badge'
import { describeOutcome } from '../../components/feedback/sync-outcome'
import { RecordsDownload } from '../../components/layout/records-download'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { formatDateTime, formatExactTime } from '../../lib/time-format'
import { trpc } from '../../trpc'
import { connectionColumn, PLACE_CSV, supplierColumn } from './sync-columns'

import classes from './finished-runs-dialog.module.css'

/** Which runs are listed, and how they are called. */
export interface FinishedRunsSubject {
  from: number
  until: number
  outcome?: SyncOutcome
  name: string
}

interface FinishedRunsDialogProps {
  isOpen: boolean
  subject: FinishedRunsSubject | null
  onClose: () => void
}

/** The runs of all suppliers that a part of a chart counts, newest first. */
export function FinishedRunsDialog({ isOpen, subject, onClose }: FinishedRunsDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size={960}
      padding="lg"
      title={`Runs - ${subject?.name ?? ''}`}
      classNames={{ body: classes.body }}
    >
      {subject && <FinishedRuns {...subject} />}
    </Modal>
  )
}

function FinishedRuns({ from, until, outcome }: FinishedRunsSubject) {
  const query = trpc.operations.finishedRuns.useQuery({
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    outcome,
  })
  const runs = query.data
  if (query.isError && !runs)
    return <LoadError title="The runs could not be loaded" query={query} />
  if (runs?.length === 0) {
    return (
      <EmptyState icon={IconHistoryOff} title="No runs">
        None has finished then, or its connection has been deleted since.
      </EmptyState>
    )
  }
  return (
    <>
      <DataTable label="Finished runs" columns={COLUMNS} rows={runs} rowKey={({ id }) => id} />
      {runs && (
        <Group justify="space-between" className={classes.note}>
          {runs.length >= MAX_FINISHED_RUNS ? (
            <Text c="dimmed" fz="sm">
              The last {formatCount(runs.length)}; choose a shorter time for earlier ones.
            </Text>
          ) : (
            <span />
          )}
          <RecordsDownload rows={runs} columns={CSV_COLUMNS} fileName="finished-runs.csv" />
        </Group>
      )}
    </>
  )
}

const CSV_COLUMNS = {
  ...PLACE_CSV,
  result: ({ outcome }: FinishedRun) => outcome,
  reason: ({ reason }: FinishedRun) => reason,
  finished: ({ finishedAt }: FinishedRun) => finishedAt,
}

const COLUMNS: Column<FinishedRun>[] = [
  supplierColumn,
  connectionColumn,
  {
    id: 'outcome',
    header: 'Result',
    width: 132,
    cell: ({ outcome }) => {
      const { word, tone } = describeOutcome(outcome)
      return <StatusBadge tone={tone}>{word}</StatusBadge>
    },
  },
  {
    id: 'reason',
    header: 'Reason',
    minWidth: 200,
    cell: ({ reason }) => <Truncated text={reason ?? '–'} lines={3} />,
  },
  {
    id: 'finishedAt',
    header: 'Finished',
    width: 208,
    cell: ({ finishedAt }) => (
      <time dateTime={finishedAt} title={formatExactTime(finishedAt)}>
        {formatDateTime(finishedAt)}
      </time>
    ),
  },
]
