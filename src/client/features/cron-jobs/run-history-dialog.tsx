import { Text } from '@mantine/core'
import { IconHistoryOff } from '@tabler/icons-react'

import type { CronJobOutcome } from '../../../shared/constants'
import { formatDuration } from '../../../shared/format'
import type { CronJobRun } from '../../../shared/schemas/cron-job'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { StatusBadge, type StatusTone } from '../../components/feedback/status-badge'
import { RecordsDownload } from '../../components/layout/records-download'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'
import { formatDateTime, formatExactTime } from '../../lib/time-format'
import { trpc } from '../../trpc'
import { HistoryDialog, type HistoryDialogProps } from './history-dialog'

import classes from './history-dialog.module.css'

/** The last runs of a job. */
export function RunHistoryDialog(props: HistoryDialogProps) {
  return (
    <HistoryDialog {...props} title={`Run History - ${props.job?.name ?? ''}`}>
      {(name) => <RunHistory name={name} />}
    </HistoryDialog>
  )
}

function RunHistory({ name }: { name: string }) {
  const list = trpc.cronJobs.runs.useQuery({ name })
  if (list.isError && !list.data) {
    return <LoadError title="The runs could not be loaded" query={list} />
  }
  if (list.data?.length === 0) {
    return (
      <EmptyState icon={IconHistoryOff} title="No runs yet">
        The job runs on its schedule, or when you start it.
      </EmptyState>
    )
  }
  return (
    <>
      <DataTable label="Runs" columns={RUN_COLUMNS} rows={list.data} rowKey={({ id }) => id} />
      <div className={classes.export}>
        <RecordsDownload rows={list.data} columns={CSV_COLUMNS} fileName={`runs-of-${name}.csv`} />
      </div>
    </>
  )
}

const CSV_COLUMNS = {
  started: ({ startedAt }: CronJobRun) => startedAt,
  finished: ({ finishedAt }: CronJobRun) => finishedAt,
  'started by': ({ isRequested }: CronJobRun) => (isRequested ? 'hand' : 'schedule'),
  result: ({ outcome }: CronJobRun) => outcome ?? 'running',
  details: ({ error, summary, step }: CronJobRun) => error ?? summary ?? step,
}

const RUN_COLUMNS: Column<CronJobRun>[] = [
  {
    id: 'startedAt',
    header: 'Started',
    width: 200,
    cell: ({ startedAt, isRequested }) => (
      <>
        <time dateTime={startedAt} title={formatExactTime(startedAt)}>
          {formatDateTime(startedAt)}
        </time>
        <Text component="div" c="dimmed" fz="xs">
          {isRequested ? 'started manually' : 'scheduled'}
        </Text>
      </>
    ),
  },
  {
    id: 'outcome',
    header: 'Result',
    width: 132,
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
  },
  {
    id: 'details',
    header: 'Details',
    minWidth: 200,
    cell: ({ error, summary, step }) => (
      <Truncated text={error ?? summary ?? step ?? '–'} lines={4} />
    ),
  },
  {
    id: 'duration',
    header: 'Duration',
    align: 'right',
    width: 120,
    cell: ({ startedAt, finishedAt }) =>
      finishedAt ? formatDuration(Date.parse(finishedAt) - Date.parse(startedAt)) : '–',
  },
]

const OUTCOME_WORDS: Record<CronJobOutcome, { word: string; tone: StatusTone }> = {
  succeeded: { word: 'Succeeded', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
}

function Outcome({ outcome }: { outcome: CronJobOutcome | null }) {
  if (outcome === null) return <StatusBadge tone="busy">Running</StatusBadge>
  const { word, tone } = OUTCOME_WORDS[outcome]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}
